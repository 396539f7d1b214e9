import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const [WIDTH, HEIGHT] = [640, 300];
const COLOURS = ['#1d4ed8', '#c2410c'];

/** Writes shares over time as an SVG picture, without a library. */
export function writeLineChart(file, { title, lines, last }) {
  const y = (share) => HEIGHT - 30 - share * (HEIGHT - 60);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<path d="M44 ${y(share)}H${WIDTH - 20}" stroke="#e2e8f0"/><text x="38" y="${y(share) + 4}" text-anchor="end">${100 * share} %</text>`,
  );
  const drawn = Object.entries(lines).map(([name, shares], i) => {
    const x = (place) => 44 + (place * (WIDTH - 64)) / Math.max(1, shares.length - 1);
    const points = shares.map((share, place) => `${x(place).toFixed(1)},${y(share).toFixed(1)}`);
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${COLOURS[i]}" stroke-width="2"/><text x="${56 + 200 * i}" y="18" fill="${COLOURS[i]}">${name}</text>`;
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 0 ${WIDTH + 8} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="13" fill="#334155"><title>${title}</title>
${[...grid, ...drawn].join('\n')}
<text x="${WIDTH - 20}" y="${HEIGHT - 8}" text-anchor="end">${last}</text>
</svg>
`,
  );
}
