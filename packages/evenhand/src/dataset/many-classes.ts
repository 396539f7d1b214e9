/**
 * Classes up to which everything is written and shown in full. With more, what grows with the square of their number, or with the product
 * of classes and instances, is cut down to what matters: data sets of the field's benchmarks, which have about 100, stay below.
 */
export const MOST_CLASSES_IN_FULL = 128;

/** Whether there are so many classes that files and pages have only what matters of them. */
export function hasTooManyClasses(classes: number): boolean {
  return classes > MOST_CLASSES_IN_FULL;
}
