/** Flags that are not called like their options: each of several gives one of many. */
const OTHER_NAMES = new Map([
  ['data.types', '--type'],
  ['method.weights', '--weight'],
]);

/** `--learning-rate` of `optimizer.learningRate`, `--model` of `model.name`. */
export function flagOf(path: string): string {
  const other = OTHER_NAMES.get(path);
  if (other !== undefined) return other;
  const name = path.endsWith('.name') ? path.slice(0, -'.name'.length) : path.replace(/^.*\./, '');
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** As commander names a flag's value: `learningRate` of `--learning-rate`. */
export function optionName(flag: string): string {
  return flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
