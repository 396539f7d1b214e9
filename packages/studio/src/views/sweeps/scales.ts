import type { OptionValue, SearchedOption } from 'evenhand/studio';
import { optionText } from '../../parts/format.js';

/** Where a value of a searched option stands, from 0 to 1; in a list, by its place. */
export function shareOf({ values, from, to, isLog }: SearchedOption, value: OptionValue | undefined): number | null {
  if (values !== null) {
    const place = values.indexOf(value ?? null);
    if (place === -1) return null;
    return values.length === 1 ? 0.5 : place / (values.length - 1);
  }
  if (typeof value !== 'number' || from === null || to === null) return null;
  if (from === to) return 0.5;
  return isLog ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
}

/** What stands at the ends of an axis, or beside every value of a list. */
export function labelsOf({ values, from, to }: SearchedOption): { readonly share: number; readonly text: string }[] {
  if (values !== null) {
    return values.map((value, i) => ({
      share: values.length === 1 ? 0.5 : i / (values.length - 1),
      text: optionText(value),
    }));
  }
  return [
    { share: 0, text: optionText(from) },
    { share: 1, text: optionText(to) },
  ];
}

/** Steps of a range in a map. */
const STEPS = 6;

/** The cell of a map that a value falls into: one for each of a list, and a few for a range. */
export function cellOf(option: SearchedOption, value: OptionValue | undefined): number | null {
  const share = shareOf(option, value);
  if (share === null) return null;
  const cells = cellsOf(option);
  return option.values === null ? Math.min(cells - 1, Math.floor(share * cells)) : Math.round(share * (cells - 1));
}

/** How many cells an option has in a map. */
export function cellsOf({ values }: SearchedOption): number {
  return values?.length ?? STEPS;
}

/** What a cell stands for. */
export function cellText({ values, from, to, isLog }: SearchedOption, cell: number): string {
  if (values !== null) return optionText(values[cell]);
  const low = from ?? 0;
  const high = to ?? 1;
  const end = (share: number) => (isLog ? low * (high / low) ** share : low + share * (high - low));
  return cell === 0 ? `< ${shortEnd(end(1 / STEPS))}` : `≥ ${shortEnd(end(cell / STEPS))}`;
}

function shortEnd(value: number): string {
  return optionText(Number(value.toPrecision(2)));
}
