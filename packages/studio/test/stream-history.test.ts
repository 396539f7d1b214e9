import type { StreamLine } from 'evenhand/studio';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { NO_HISTORY, withStreamLines } from '../src/server/stream-history.js';

const scores = { recall: [], balancedAccuracy: null, gMean: null, accuracy: null, kappa: null };

/** A log: every 10 rows metrics, between them what `happens` says. */
function logOf(happens: readonly string[]): StreamLine[] {
  return happens.flatMap((what, i): StreamLine[] => {
    const rows = 10 * (i + 1);
    const metrics: StreamLine = {
      ...{ kind: 'metrics', rows, labelled: rows, waiting: 0, classes: [], recentRows: [] },
      ...{ faded: scores, windowed: scores },
    };
    const row = 10 * i + 5;
    if (what === 'drift') return [{ kind: 'drift', row, class: 'a', level: 0.5 }, metrics];
    if (what === 'class') return [{ kind: 'class', row, class: `class ${row}` }, metrics];
    return what === 'damaged' ? [{ kind: 'damaged', after: row, name: 'line', damage: 'no row' }, metrics] : [metrics];
  });
}

it('is the same however lines arrive, and however often a part of them is said again', () => {
  const happenings = fc.array(fc.constantFrom('drift', 'class', 'damaged', 'nothing'), { maxLength: 20 });
  fc.assert(
    fc.property(happenings, fc.nat(40), fc.nat(40), (happens, a, b) => {
      const log = logOf(happens);
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const whole = withStreamLines(NO_HISTORY, log);
      expect(whole.metrics.map(({ rows }) => rows)).toEqual(happens.map((_, i) => 10 * (i + 1)));
      expect(whole.drifts).toHaveLength(happens.filter((what) => what === 'drift').length);
      // Cut off at `to`, and sent again from `from` on.
      expect(withStreamLines(withStreamLines(NO_HISTORY, log.slice(0, to)), log.slice(from))).toEqual(whole);
    }),
  );
});
