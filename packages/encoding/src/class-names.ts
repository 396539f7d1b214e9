import { checkClasses } from './check-arguments.js';

/** The names of classes given as such or as a number, which names them by index. */
export function checkClassNames(classes: number | readonly string[]): readonly string[] {
  if (!Array.isArray(classes)) {
    checkClasses(classes);
    return Array.from({ length: classes }, (_, p) => String(p));
  }
  checkClasses(classes.length, 'classes.length');
  const seen = new Map<unknown, number>();
  classes.forEach((name: unknown, p) => {
    if (typeof name !== 'string') throw new TypeError(`classes[${p}] is ${String(name)}; expected a name`);
    if (seen.has(name)) {
      throw new RangeError(
        `classes[${p}] is ${JSON.stringify(name)}, and so is classes[${seen.get(name)}]; names must differ`,
      );
    }
    seen.set(name, p);
  });
  return Object.freeze([...classes]);
}
