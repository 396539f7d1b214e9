/** Mean −log p of the right class. */
export function logLoss(labels: Int32Array, probabilities: Float32Array, classes: number): number {
  const losses = Array.from(labels, (label, row) => -Math.log(probabilities[row * classes + label] ?? 0));
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
}

/** Mean over the classes of the share of their rows that have the highest probability in the right place. */
export function balancedAccuracy(labels: Int32Array, probabilities: Float32Array, classes: number): number {
  const right = new Float64Array(classes);
  const all = new Float64Array(classes);
  labels.forEach((label, row) => {
    const own = probabilities.subarray(row * classes, (row + 1) * classes);
    all[label] = (all[label] ?? 0) + 1;
    if (own.indexOf(Math.max(...own)) === label) right[label] = (right[label] ?? 0) + 1;
  });
  return right.reduce((sum, count, k) => sum + count / (all[k] ?? 1), 0) / classes;
}

/** Mean over the classes (of two: of the second) of the area under the ROC curve against all others: by ranks, equal ones sharing theirs. */
export function areaUnderCurve(labels: Int32Array, probabilities: Float32Array, classes: number): number {
  const areas = Array.from({ length: classes }, (_, k) => {
    const scores = Array.from(labels, (label, row) => ({
      right: label === k,
      p: probabilities[row * classes + k] ?? 0,
    }));
    scores.sort((a, b) => a.p - b.p);
    let ranks = 0;
    for (let from = 0; from < scores.length; ) {
      let to = from;
      while (to < scores.length && scores[to]?.p === scores[from]?.p) to++;
      const rank = (from + 1 + to) / 2;
      for (let i = from; i < to; i++) if (scores[i]?.right) ranks += rank;
      from = to;
    }
    const positives = scores.filter(({ right }) => right).length;
    return (ranks - (positives * (positives + 1)) / 2) / (positives * (scores.length - positives));
  });
  const counted = classes === 2 ? areas.slice(1) : areas;
  return counted.reduce((sum, area) => sum + area, 0) / counted.length;
}
