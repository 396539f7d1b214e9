// Draws method.svg, the picture of method.md's worked example, from the built package: node docs/draw-method.mjs
import { writeFileSync } from 'node:fs';
import {
  costMatrix,
  identityMatrix,
  normaliseRows,
  softConfusionMatrix,
  updateGeneratorMatrix,
} from '@evenhand/encoding';

const classes = ['cat', 'dog', 'fox'];
const soft = softConfusionMatrix(
  [0, 0, 1, 1, 2, 2],
  [0.8, 0.1, 0.1, 1, 0, 0, 0.1, 0.8, 0.1, 0.3, 0.6, 0.1, 0.6, 0.2, 0.2, 0.4, 0.2, 0.4],
  3,
);
const shares = normaliseRows(soft, [2, 2, 2]);
const cost = costMatrix(shares);
const generator = updateGeneratorMatrix(identityMatrix(3), cost, { enhancementRate: 2, updatingRate: 0.5 });

const CELL = 62;
const WIDTH = 3 * CELL;
const GAP = 118;
const LEFT = 52;
const TOP = 66;

function panel(matrix, index, title, subtitle, most) {
  const x = LEFT + index * (WIDTH + GAP);
  const parts = [
    `<text x="${x + WIDTH / 2}" y="24" class="title">${title}</text>`,
    `<text x="${x + WIDTH / 2}" y="44" class="small">${subtitle}</text>`,
  ];
  classes.forEach((name, p) => {
    parts.push(`<text x="${x - 8}" y="${TOP + p * CELL + CELL / 2 + 4}" class="name">${name}</text>`);
    parts.push(`<text x="${x + p * CELL + CELL / 2}" y="${TOP + WIDTH + 18}" class="small">${name}</text>`);
    classes.forEach((_, q) => {
      const value = matrix[p * 3 + q];
      const strength = Math.min(1, Math.abs(value) / most);
      const colour = value < 0 ? `rgba(194,65,12,${strength})` : `rgba(29,78,216,${strength})`;
      const [cx, cy] = [x + q * CELL, TOP + p * CELL];
      const ink = strength > 0.55 ? 'light' : 'dark';
      parts.push(`<rect x="${cx + 1}" y="${cy + 1}" width="${CELL - 2}" height="${CELL - 2}" rx="6" fill="#fff"/>`);
      parts.push(
        `<rect x="${cx + 1}" y="${cy + 1}" width="${CELL - 2}" height="${CELL - 2}" rx="6" fill="${colour}"/>`,
      );
      parts.push(
        `<text x="${cx + CELL / 2}" y="${cy + CELL / 2 + 5}" class="value ${ink}">${value.toFixed(2).replace('-', '−')}</text>`,
      );
    });
  });
  return parts.join('\n');
}

function arrow(index, formula) {
  const from = LEFT + index * (WIDTH + GAP) + WIDTH + 12;
  const to = from + GAP - 68;
  const y = TOP + WIDTH / 2;
  return `<path d="M${from} ${y}H${to}" stroke="#64748b" stroke-width="2" marker-end="url(#head)"/>
<text x="${(from + to) / 2}" y="${y - 12}" class="small">${formula}</text>`;
}

const width = LEFT + 3 * WIDTH + 2 * GAP + 16;
const height = TOP + WIDTH + 34;
writeFileSync(
  new URL('method.svg', import.meta.url),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="Soft-confusion matrix, cost matrix and generator matrix of three classes">
<style>text{font:14px system-ui,sans-serif;text-anchor:middle;fill:#334155}.title{font-weight:600;font-size:16px;fill:#0f172a}.small{font-size:12px}.name{text-anchor:end}.value{font-weight:600}.light{fill:#fff}.dark{fill:#0f172a}</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#64748b"/></marker></defs>
<rect width="100%" height="100%" rx="12" fill="#f8fafc"/>
${panel(shares, 0, 'What is measured', 'soft confusion S′: true class × P(class)', 1)}
${arrow(0, '− I')}
${panel(cost, 1, 'What it costs', 'cost matrix C', 1)}
${arrow(1, 'ε = 2, μ = ½')}
${panel(generator, 2, 'What training sees', 'generator matrix G: a label a row', 1.7)}
</svg>
`,
);
