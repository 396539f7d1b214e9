import {
  Adwin,
  type AdwinJSON,
  PageHinkley,
  type PageHinkleyJSON,
  RecallDrift,
  type RecallDriftJSON,
} from '@evenhand/streams';
import type { StreamOptions } from '../options.js';

/** A change for the worse. */
export interface StreamChange {
  /** The class whose recall has fallen; undefined if it is the share of right answers to all rows. */
  readonly label?: number;
  /** The recall, or the share of right answers, since then. */
  readonly level: number;
}

/** {@link ChangeDetector} as JSON. */
export type ChangeDetectorJSON =
  | { readonly kind: 'recall'; readonly detector: RecallDriftJSON }
  | { readonly kind: 'adwin'; readonly detector: AdwinJSON }
  | { readonly kind: 'page-hinkley'; readonly detector: PageHinkleyJSON }
  | { readonly kind: 'none' };

type Detector =
  | { readonly kind: 'recall'; readonly detector: RecallDrift }
  | { readonly kind: 'adwin'; readonly detector: Adwin }
  | { readonly kind: 'page-hinkley'; readonly detector: PageHinkley }
  | { readonly kind: 'none' };

/** How far right answers have to fall in all, in rows, before the Page–Hinkley test raises an alarm. */
const FALL = 30;

/** Watches answers, by the detector that was chosen. What has become better is learning and no change. */
export class ChangeDetector {
  readonly #detector: Detector;

  private constructor(detector: Detector) {
    this.#detector = detector;
  }

  static create(kind: StreamOptions['drift']): ChangeDetector {
    switch (kind) {
      case 'recall':
        return new ChangeDetector({ kind, detector: new RecallDrift() });
      case 'adwin':
        return new ChangeDetector({ kind, detector: new Adwin() });
      case 'page-hinkley':
        return new ChangeDetector({ kind, detector: new PageHinkley({ threshold: FALL }) });
      case 'none':
        return new ChangeDetector({ kind });
    }
  }

  /** Takes in a row's class and answer. */
  add(label: number, answer: number): StreamChange | undefined {
    const watched = this.#detector;
    if (watched.kind === 'none') return undefined;
    if (watched.kind === 'recall') {
      const change = watched.detector.add(label, answer);
      return change?.worse === true ? { label: change.label, level: change.recall } : undefined;
    }
    const before = watched.detector.mean;
    if (!watched.detector.add(label === answer ? 1 : 0)) return undefined;
    if (watched.kind === 'page-hinkley') return { level: before };
    return watched.detector.mean < before ? { level: watched.detector.mean } : undefined;
  }

  toJSON(): ChangeDetectorJSON {
    const watched = this.#detector;
    switch (watched.kind) {
      case 'recall':
        return { kind: 'recall', detector: watched.detector.toJSON() };
      case 'adwin':
        return { kind: 'adwin', detector: watched.detector.toJSON() };
      case 'page-hinkley':
        return { kind: 'page-hinkley', detector: watched.detector.toJSON() };
      case 'none':
        return { kind: 'none' };
    }
  }

  /** What `toJSON` was called on. */
  static fromJSON(saved: ChangeDetectorJSON): ChangeDetector {
    switch (saved.kind) {
      case 'recall':
        return new ChangeDetector({ kind: 'recall', detector: RecallDrift.fromJSON(saved.detector) });
      case 'adwin':
        return new ChangeDetector({ kind: 'adwin', detector: Adwin.fromJSON(saved.detector) });
      case 'page-hinkley':
        return new ChangeDetector({ kind: 'page-hinkley', detector: PageHinkley.fromJSON(saved.detector) });
      case 'none':
        return new ChangeDetector({ kind: 'none' });
    }
  }
}
