import { exportModel, wrapModel } from '@evenhand/engine';
import fc from 'fast-check';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, it } from 'vitest';
import { type AnswerRule, answersOf } from '../../src/decision/answer-rule.js';
import { withCalibration } from '../../src/decision/calibration.js';
import { type Decision, writeDecision } from '../../src/prediction/decision.js';
import { fitTablePreprocessing } from '../../src/preprocessing/fit-table.js';
import { firstState, tableProgram } from '../prediction/models.js';
import { allRows, numeric, table } from '../preprocessing/tables.js';

const preprocessing = fitTablePreprocessing(table(numeric('x', 1, 2)), allRows(2));

/** A model whose decision is made of probabilities that it is given, past its network. */
function decisionModel(classes: number, decision: Decision): Uint8Array {
  const program = tableProgram(preprocessing, classes, 2);
  const names = Array.from({ length: classes }, (_, q) => String(q));
  return wrapModel(exportModel(program, firstState(program)), {
    inputs: [
      { name: 'x', type: 'float32', shape: [1] },
      { name: 'given', type: 'float32', shape: [classes] },
    ],
    before: () => 'x',
    after: (writer) => {
      const { label, probabilities } = writeDecision(writer, 'given', names, decision);
      return [
        { name: label, type: 'string', shape: [] },
        { name: probabilities, type: 'float32', shape: [classes] },
      ];
    },
    metadata: { classNames: names },
  });
}

async function decided(classes: number, decision: Decision, given: Float32Array) {
  const session = await InferenceSession.create(decisionModel(classes, decision), {
    logSeverityLevel: 3,
    intraOpNumThreads: 1,
  });
  const rows = given.length / classes;
  const results = await session.run({
    x: new Tensor('float32', new Float32Array(rows), [rows, 1]),
    given: new Tensor('float32', given, [rows, classes]),
  });
  await session.release();
  const [label, probabilities] = session.outputNames.map((name) => results[name]?.data);
  if (!Array.isArray(label) || !(probabilities instanceof Float32Array)) throw new Error('other outputs');
  return { answers: Int32Array.from(label, Number), probabilities };
}

const CLASSES = fc.integer({ min: 2, max: 6 });
const weight = fc.oneof(fc.double({ min: 1e-6, max: 1, noNaN: true }), fc.constant(0));

const cases = CLASSES.chain((classes) => {
  const list = (of: fc.Arbitrary<number>) => fc.array(of, { minLength: classes, maxLength: classes });
  const number = fc.double({ min: -5, max: 5, noNaN: true });
  const rule: fc.Arbitrary<AnswerRule | undefined> = fc.oneof(
    fc.constant(undefined),
    fc.record({ kind: fc.constant('offsets' as const), offsets: list(number) }),
    fc.record({
      kind: fc.constant('costs' as const),
      costs: fc.array(list(number), { minLength: classes, maxLength: classes }),
    }),
    fc.record({
      kind: fc.constant('threshold' as const),
      class: fc.integer({ min: 0, max: classes - 1 }),
      threshold: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  );
  const calibration = fc.option(
    fc.record({ temperature: fc.double({ min: 0.1, max: 5, noNaN: true }), biases: list(number) }),
    {
      nil: undefined,
    },
  );
  const row = list(weight).map((weights) => {
    const sum = weights.reduce((a, b) => a + b, 0);
    return sum === 0 ? weights.map(() => 1 / classes) : weights.map((one) => one / sum);
  });
  const rows = fc.array(row, { minLength: 1, maxLength: 40 });
  return fc.record({ classes: fc.constant(classes), rule, calibration, rows });
});

it('model.onnx answers and calibrates as it is done outside, for any rule and any probabilities', async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ classes, rule, calibration, rows }) => {
      const given = Float32Array.from(rows.flat());
      const decision: Decision = {
        ...(rule === undefined ? {} : { rule }),
        ...(calibration === undefined ? {} : { calibration }),
      };
      const { answers, probabilities } = await decided(classes, decision, given);
      expect(answers).toEqual(answersOf(rule ?? null, probabilities, classes));
      const outside = calibration === undefined ? given : withCalibration(given, calibration);
      for (const [k, p] of probabilities.entries()) expect(p).toBeCloseTo(outside[k] ?? Number.NaN, 6);
    }),
    { numRuns: 60 },
  );
});
