import { signal } from '@preact/signals';
import { CLASSES } from '../points.js';

/** Red, green and blue, from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** Colours that pictures are drawn with: those of the style sheet at the moment. */
export interface Colours {
  readonly classes: readonly Rgb[];
  /** Of the line between two regions. */
  readonly border: Rgb;
  readonly page: string;
  readonly ink: string;
}

function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const hex = (name: string) => style.getPropertyValue(name).trim();
  return {
    classes: CLASSES.map((_, label) => rgbOf(hex(`--series-${label}`))),
    border: rgbOf(hex('--soft')),
    page: hex('--page'),
    ink: hex('--ink'),
  };
}

/** Of `#1f6fb5`. */
function rgbOf(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

/** They change when the reader turns from a light to a dark screen. */
export const colours = signal<Colours>(readColours());

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
  colours.value = readColours();
});
