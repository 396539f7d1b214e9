import { signal } from '@preact/signals';
import { CLASSES } from '../points.js';

/** Colours that pictures are drawn with: those of the style sheet at the moment. */
export interface Colours {
  /** Of the classes, as `[red, green, blue]`. */
  readonly classes: readonly (readonly [number, number, number])[];
  readonly page: string;
  readonly ink: string;
}

function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const hex = (name: string) => style.getPropertyValue(name).trim();
  return {
    classes: CLASSES.map((_, label) => {
      const number = Number.parseInt(hex(`--series-${label}`).slice(1), 16);
      return [(number >> 16) & 255, (number >> 8) & 255, number & 255] as const;
    }),
    page: hex('--page'),
    ink: hex('--ink'),
  };
}

/** They change when the reader turns from a light to a dark screen. */
export const colours = signal<Colours>(readColours());

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  colours.value = readColours();
});
