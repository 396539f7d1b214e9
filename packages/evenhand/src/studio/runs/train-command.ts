import { leaves } from '../../config/difference.js';
import { parseConfig } from '../../config/parse.js';
import type { Config } from '../../config/schema.js';

/** Options that are given as words of their own, or are this machine's. */
const APART = ['data.source', 'data.target', 'method.name', 'model.name', 'seed', 'threads', 'device'];

/**
 * The command line that trains a run again: the data, its target, method, model and seed, and whatever else is not the default for them.
 *
 * @param quoted - makes a word one for a shell
 */
export function trainCommand(config: Config, quoted: (word: string) => string): string {
  const { data, method, model, seed } = config;
  const target = data.target === undefined ? [] : ['--target', data.target];
  const named = ['--method', method.name, '--model', model.name, ...(seed === 0 ? [] : ['--seed', String(seed)])];
  const others = otherOptions(config).flatMap(([path, value]) => ['--set', `${path}=${JSON.stringify(value)}`]);
  return ['npx', 'evenhand', 'train', data.source, ...target, ...named, ...others].map(quoted).join(' ');
}

/** Options that the defaults would not give. */
function otherOptions(config: Config): [string, unknown][] {
  const { data, method, model } = config;
  let defaults: ReadonlyMap<string, unknown> = new Map();
  try {
    const { source, target } = data;
    const given = {
      data: { source, ...(target === undefined ? {} : { target }) },
      method: { name: method.name },
      model: { name: model.name },
    };
    defaults = leaves(parseConfig(given));
  } catch {
    // A kind that cannot do without options of its own: then all are told.
  }
  return [...leaves(config)].filter(
    ([path, value]) => !APART.includes(path) && JSON.stringify(defaults.get(path)) !== JSON.stringify(value),
  );
}
