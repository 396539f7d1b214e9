/** Class names in their order: numbers ascending where all of them are numbers, else by code unit. */
export function inClassOrder(names: readonly string[]): string[] {
  const byCodeUnit = [...names].sort();
  const allNumbers = names.every((name) => name.trim() !== '' && Number.isFinite(Number(name)));
  return allNumbers ? byCodeUnit.sort((a, b) => Number(a) - Number(b)) : byCodeUnit;
}
