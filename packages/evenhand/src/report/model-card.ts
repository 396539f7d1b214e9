import { at } from '../checked-access.js';
import { objectiveText } from '../decision/objective-text.js';
import { refitText } from '../runs/refit-text.js';
import { amount, count, intervalInPercent, percent } from '../wording/numbers.js';
import { type Html, html } from './html.js';
import { inertMarkdown } from './markdown.js';
import { measuringText } from './names.js';
import { section } from './page.js';
import type { RunData } from './run-data.js';
import { HEADLINE } from './sections/headline.js';

/** A part of a model card: a heading, and one line a fact. */
interface CardPart {
  readonly heading: string;
  readonly facts: readonly string[];
}

/** What whoever uses the model should know (after Mitchell et al. 2019). */
function modelCard({ config, environment, evaluation, classNames, classOrder, minority }: RunData): CardPart[] {
  const { counts, estimates } = evaluation;
  const refit = refitText(evaluation);
  const total = (values: readonly number[]) => count(values.reduce((a, b) => a + b, 0));
  const rarest = classOrder
    .filter((p) => minority.has(p))
    .slice(-5)
    .reverse();
  const shares = HEADLINE.map(([key, name]) => {
    const interval = intervalInPercent(estimates[key]);
    return `${name}: ${percent(estimates[key].value)}${interval === '' ? '' : ` (95 % interval ${interval})`}`;
  });
  return [
    {
      heading: 'Model',
      facts: [
        `Network: ${describe(config.model)}`,
        `Imbalance: ${describe(config.method)}`,
        `Loss: ${describe(config.loss)}. Optimizer: ${describe(config.optimizer)}. Schedule: ${describe(config.schedule)}`,
        `Weights: epoch ${evaluation.weights.epoch + 1} of at most ${config.epochs} (${evaluation.weights.chosen}); seed ${config.seed}`,
        ...(refit === undefined ? [] : [refit]),
        `Made with evenhand ${environment.evenhand}, ONNX Runtime ${environment.onnxRuntime}, Node ${environment.node}, on ${environment.system}`,
      ],
    },
    {
      heading: 'Data',
      facts: [
        `${environment.dataset.name}, SHA-256 of its content ${environment.dataset.hash}`,
        `${total(counts.training)} instances for training, ${total(counts.validation)} for validation, ${total(counts.test)} for testing; ${classNames.length} classes`,
        ...(config.data.imbalance === undefined
          ? []
          : [`Training set made imbalanced for an experiment: ${describe(config.data.imbalance)}`]),
      ],
    },
    { heading: 'Answers', facts: answerFacts(config.decision, evaluation) },
    { heading: 'Results on the test set', facts: [...shares, ...costFacts(evaluation)] },
    {
      heading: 'Limits',
      facts: [
        `The rarest in training: ${rarest.map((p) => `${classNames[p]} (${count(at(counts.training, p))})`).join(', ')}. Their numbers rest on few instances.`,
        'The model answers with one of its classes for every input, even for one that belongs to none of them.',
        'The numbers hold for data like the test set. If classes are more or less frequent elsewhere, the probabilities have to be adjusted.',
        'The intervals cover the chance in drawing the test set, not the randomness of training: other seeds give other models.',
      ],
    },
    {
      heading: 'Intended use',
      facts: [
        'To be filled in by the publisher of the model: its intended uses and users, and what it must not be used for.',
      ],
    },
  ];
}

/** How probabilities become answers, and where that was fitted. */
function answerFacts(
  { objective }: RunData['config']['decision'],
  { decision, counts }: RunData['evaluation'],
): string[] {
  const calibrated =
    decision.calibration === null
      ? 'Probabilities: as the network and its method give them, not calibrated'
      : `Probabilities: calibrated on ${measuringText(counts)}, for classes as frequent as in training (temperature ${decision.calibration.temperature.toFixed(2)})`;
  if (objective === undefined) return [calibrated, 'Answer: the likeliest class'];
  const { reason = null } = decision.answers ?? {};
  return [
    calibrated,
    `Answer: chosen for ${objectiveText(objective)}, and so not always the likeliest class${reason === null ? '' : `. ${reason}`}`,
  ];
}

function costFacts({ costs }: RunData['evaluation']): string[] {
  if (costs === null) return [];
  return [
    `mean cost per instance: ${amount(costs.mean.value)} (always answering the likeliest class: ${amount(costs.likeliest.mean)})`,
  ];
}

/** `name (option value, …)` of a part of the configuration. */
function describe(part: object): string {
  const [[, name] = [], ...options] = Object.entries(part);
  const listed = options.map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return listed.length === 0 ? String(name) : `${name} (${listed.join(', ')})`;
}

/** The model card as a part of the report. */
export function modelCardSection(run: RunData): Html {
  const parts = modelCard(run).map(
    ({ heading, facts }) => html`<h3>${heading}</h3><ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul>`,
  );
  return section(
    'Model card',
    html`${parts}<p class="note">The same text is in <code>model-card.md</code>, next to this file.</p>`,
  );
}

/** The model card as Markdown. */
export function modelCardMarkdown(run: RunData): string {
  const parts = modelCard(run).map(
    ({ heading, facts }) => `## ${heading}\n\n${facts.map((fact) => `- ${inertMarkdown(fact)}\n`).join('')}`,
  );
  return `# Model card: ${inertMarkdown(run.environment.dataset.name)}, ${run.config.method.name}\n\n${parts.join('\n')}`;
}
