import { defaultText, type SchemaOption, schemaOptions } from '../../config/schema-options.js';
import { flaggedOptions } from '../options/options-from-schema.js';

/** What a section is about. */
const SECTIONS: readonly { readonly name: string; readonly about: string }[] = [
  { name: 'data', about: 'Where the data is, how it is read, and how it is divided.' },
  { name: 'model', about: 'What is trained. `model.name` decides which of the other options apply.' },
  { name: 'method', about: 'How to deal with imbalance; [which method?](choosing.md) compares all of them.' },
  { name: 'loss', about: 'What training minimises.' },
  { name: 'optimizer', about: 'How gradients change the weights.' },
  { name: 'schedule', about: 'How the learning rate changes over the epochs.' },
  { name: 'augmentation', about: 'Random changes to training images. Off unless one of these options is given.' },
  {
    name: 'earlyStopping',
    about:
      'Stops when the validation result no longer improves. Off by default for single networks on images and for model `mlp`; on for models `auto`, `tabular` and `trees`.',
  },
  { name: 'decision', about: 'How [probabilities become answers](decisions.md).' },
];

/** docs/configuration.md: every option of the schema, each below a heading of its own, to link to. */
export function configurationReference(): string {
  const options = schemaOptions();
  const flags = new Map(flaggedOptions().map(({ option, flag }) => [option.path, flag]));
  flags.set('method.name', '--method');
  const sectionOf = ({ path }: SchemaOption) => (path.includes('.') ? path.replace(/\..*$/, '') : '');
  const text = (own: readonly SchemaOption[]) =>
    own.map((option) => optionText(option, options, flags.get(option.path))).join('\n');
  const named = SECTIONS.map(({ name, about }) => {
    const own = options.filter((option) => sectionOf(option) === name);
    return `## ${name}\n\n${about}\n\n${text(own)}`;
  });
  const known = new Set(SECTIONS.map(({ name }) => name));
  const others = options.filter((option) => !known.has(sectionOf(option)));
  return [INTRODUCTION, ...named, `## Everything else\n\n${text(others)}`].join('\n');
}

function optionText(option: SchemaOption, options: readonly SchemaOption[], flag: string | undefined): string {
  const section = option.path.replace(/\.[^.]*$/, '');
  const names = options.find(({ path }) => path === `${section}.name` || path === `${section}.kind`);
  const isOfSome = option !== names && option.kinds.length < (names?.kinds.length ?? 0);
  const facts = [
    `values: ${option.values.includes('|') ? option.values.split('|').map(code).join(', ') : option.values}`,
    ...(defaultText(option) === '' ? [] : [`default: ${defaultText(option)}`]),
    ...(isOfSome ? [`with: ${option.kinds.map(code).join(', ')}`] : []),
    ...(flag === undefined ? [] : [`flag: ${code(flag)}`]),
  ];
  return `### ${option.path}\n\n${sentence(option.description)}\n\n${facts.map((fact) => `- ${fact}`).join('\n')}\n`;
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Descriptions are written for the help: without a capital and a full stop. A symbol at the beginning stays as it is. */
function sentence(description: string): string {
  const isWord = /^[a-z]{2}|^a /.test(description);
  return `${isWord ? description.slice(0, 1).toUpperCase() : description.slice(0, 1)}${description.slice(1)}.`;
}

const INTRODUCTION = `# Configuration

<!-- Made by \`node packages/evenhand/dist/cli/main.js reference configuration > docs/configuration.md\` from the schema; do not edit. -->

Every option of a training run. The names are the same in a file for \`--config\`, after \`--set\`, and in the library's \`ConfigInput\`:

\`\`\`json
{
  "data": { "source": "payments.csv", "target": "state" },
  "method": { "name": "smote" },
  "optimizer": { "learningRate": 0.003 }
}
\`\`\`

\`\`\`sh
npx evenhand train --config smote.json --set optimizer.learningRate=0.01
\`\`\`

The more common options have their own flags; flags and \`--set\` override the file. \`config.json\` in the folder of a run holds all options with the values that were used. A misspelled option is an error.

The models \`auto\`, \`tabular\` and \`trees\` have their own [recipe](learner.md), with other defaults for method, optimizer, schedule, label smoothing, epochs and early stopping than those listed here.

The rates ε and μ can change over the epochs. Give them as JSON: \`{"kind": "warm-up", "rate": 3, "epochs": 5}\` rises to its value, \`{"kind": "cosine", "rate": 3, "final": 0}\` falls from it.
`;
