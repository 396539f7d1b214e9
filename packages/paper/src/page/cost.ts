import type { Config } from 'evenhand/config';
import type { SettingName } from '../tables/tables.js';

/** Training images of each setting; the validation images are not among them. */
const TRAINING_IMAGES: Readonly<Record<SettingName, number>> = {
  even: 33_360,
  'long-tail': 12_214,
  'cifar10-lt': 12_356,
  caltech101: 6_152,
  vit: 12_214,
  eanet: 12_214,
};

/** What one core of the machine that the tables were run on needs for a training image of this size, measured once. */
const MEASURED = [
  { model: 'lenet5', size: 28, seconds: 0.000_15 },
  { model: 'resnet32', size: 32, seconds: 0.009 },
  { model: 'resnet34', size: 32, seconds: 0.016 },
  { model: 'vit', size: 28, seconds: 0.0012 },
  { model: 'eanet', size: 28, seconds: 0.0012 },
] as const;

/** Seconds that one core needs for a training run, roughly: time grows with the area of the images. */
export function secondsOf(setting: SettingName, { model, data, epochs }: Config): number {
  const measured = MEASURED.find(({ model: name }) => name === model.name);
  if (measured === undefined) throw new Error(`internal: no cost is known for ${model.name}`);
  const area = ((data.imageSize ?? measured.size) / measured.size) ** 2;
  return epochs * TRAINING_IMAGES[setting] * measured.seconds * area;
}

/** Seconds of one core in words: `about 20 core-minutes`. */
export function costText(seconds: number): string {
  const [value, unit] =
    seconds < 90 * 60
      ? [seconds / 60, 'core-minutes']
      : seconds < 48 * 3600
        ? [seconds / 3600, 'core-hours']
        : [seconds / 86_400, 'core-days'];
  return `about ${Number(value.toPrecision(2))} ${unit}`;
}
