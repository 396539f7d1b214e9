import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { classificationReport } from '@evenhand/encoding';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRunData } from '../../src/report/run-data.js';
import { tradeOffPath } from '../../src/report/sections/trade-off.js';
import { writeComparison } from '../../src/report/write-comparison.js';
import { writeReport } from '../../src/report/write-report.js';
import { readImageFolder } from '../../src/sources/image-folder.js';
import { readTableFile } from '../../src/sources/table-file.js';
import { runsFolder, trainOnImages, trainOnTable, WEIRD_NAMES, writeImages, writeWeirdTable } from './runs.js';

let folder: string;
let run: string;
let page: string;

beforeAll(async () => {
  folder = await runsFolder();
  run = join(folder, 'run');
  await trainOnTable(await writeWeirdTable(folder), run);
  page = await readFile(await writeReport(run), 'utf8');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Texts of all elements that a selector finds, blanks made single. */
function textsOf(html: string, selector: string): string[] {
  const found = parseHTML(html).document.querySelectorAll(selector);
  return [...found].map((element) => element.textContent?.replace(/\s+/g, ' ').trim() ?? '');
}

describe('the report of a run', () => {
  it('shows the headline numbers of evaluation.json, with their intervals', async () => {
    const { estimates } = JSON.parse(await readFile(join(run, 'evaluation.json'), 'utf8'));
    const keys = ['balancedAccuracy', 'minorityAccuracy', 'accuracy', 'macroF1', 'gMean'];
    expect(textsOf(page, '.tiles .value')).toEqual(keys.map((key) => `${(100 * estimates[key].value).toFixed(1)} %`));
    expect(textsOf(page, '.tiles .interval')).toEqual(
      keys.map((key) => {
        const { interval } = estimates[key];
        if (interval === null) return 'no interval';
        return `${(100 * interval.low).toFixed(1)}–${(100 * interval.high).toFixed(1)} %`;
      }),
    );
  });

  it('says what always answering the commonest class would get, and a verdict', async () => {
    const { estimates, counts } = JSON.parse(await readFile(join(run, 'evaluation.json'), 'utf8'));
    const labels = counts.test.flatMap((size: number, p: number) => new Array<number>(size).fill(p));
    const commonest = counts.training.indexOf(Math.max(...counts.training));
    const answers = labels.flatMap(() => counts.test.map((_: number, q: number) => (q === commonest ? 1 : 0)));
    const constant = classificationReport(labels, answers, { classes: WEIRD_NAMES.map((_, p) => `${p}`) });
    const { macro, accuracy, balancedAccuracy, gMean } = constant;
    expect(textsOf(page, '.tiles .baseline')).toEqual(
      [balancedAccuracy, 0, accuracy, macro.f1.value ?? 0, gMean].map(
        (share) => `baseline ${(100 * share).toFixed(1)} %`,
      ),
    );
    const [verdict = ''] = textsOf(page, '.verdict');
    const better = estimates.balancedAccuracy.interval.low > 1 / 8;
    expect(verdict).toMatch(better ? /^Better than guessing\. / : /^Not clearly better than guessing\. /);
    expect(verdict).toContain(`always answering “${WEIRD_NAMES[0]}”, the commonest class, would find 12.5 %`);
    const recalls: number[] = estimates.recall.map(({ value }: { value: number }) => value);
    const lost = recalls.filter((value) => value === 0).length;
    if (lost > 1) expect(verdict).toContain(`${lost} classes are lost: no test instance of “`);
    expect(verdict.includes(' lost: ')).toBe(lost > 0);
  });

  it('has the counts behind the confusion matrix, none of them left out', async () => {
    const { report } = JSON.parse(await readFile(join(run, 'evaluation.json'), 'utf8'));
    const map = [
      ...parseHTML(page).document.querySelectorAll('svg[aria-label="Confusion matrix"] g[font-size="8.5"] text'),
    ];
    const shown = map.map((text) => Number(text.textContent));
    const present: number[] = report.confusionMatrix.filter((instances: number) => instances > 0);
    expect(shown.sort((a, b) => a - b)).toEqual(present.sort((a, b) => a - b));
  });

  it('says on how many instances the validation curve rests', async () => {
    const { counts } = JSON.parse(await readFile(join(run, 'evaluation.json'), 'utf8'));
    const all = counts.validation.reduce((a: number, b: number) => a + b);
    const caption = textsOf(page, 'figcaption').find((text) => text.includes('Soft accuracy is'));
    expect(caption).toContain(
      `It rests on ${all} validation instances, 5 instances per class: chance alone moves its accuracy by up to ±${Math.round(100 / Math.sqrt(all))} percentage points.`,
    );
  });

  it('shows the values of rows that are answered wrongly, as the file has them, if the data is given', async () => {
    expect(textsOf(page, '.wrong dl')).toEqual([]);
    const source = await writeWeirdTable(folder);
    const dataset = await readTableFile(source, { target: 'class' });
    const html = await readFile(await writeReport(run, { dataset }), 'utf8');
    await writeReport(run);
    const lines = (await readFile(source, 'utf8')).split('\n');
    const cards = [...parseHTML(html).document.querySelectorAll('.wrong li')];
    expect(cards.length).toBeGreaterThan(0);
    for (const card of cards) {
      const row = Number(card.querySelector('span')?.textContent?.replace('row ', ''));
      expect([...card.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual([
        'x',
        '<i>y</i>',
        'colour',
      ]);
      const values = [...card.querySelectorAll('dd')].map(({ textContent }) => textContent);
      expect(lines[row]?.startsWith(values.map((value) => value?.replace('…', '')).join(','))).toBe(true);
    }
  });

  it('shows a few of many columns, cuts long values, and names what is missing', async () => {
    const columns = Array.from({ length: 11 }, (_, i) => `column ${i}`);
    const rows = Array.from({ length: 80 }, (_, i) =>
      [
        `${i % 5 === 0 ? '' : i % 9}`,
        `${'long '.repeat(30)}${i % 3}`,
        `2024-01-${String(1 + (i % 28)).padStart(2, '0')}`,
        ...columns.slice(3).map((_, k) => (i * (k + 3)) % 17),
        i % 2 === 0 ? 'a' : 'b',
      ].join(','),
    );
    const source = join(folder, 'wide.csv');
    await writeFile(source, `${columns.join(',')},class\n${rows.join('\n')}\n`);
    const wide = join(folder, 'wide');
    await trainOnTable(source, wide, { epochs: 1 });
    const dataset = await readTableFile(source, { target: 'class' });
    const html = await readFile(await writeReport(wide, { dataset }), 'utf8');
    const cards = [...parseHTML(html).document.querySelectorAll('.wrong li')];
    for (const card of cards) {
      const values = [...card.querySelectorAll('dd')].map(({ textContent }) => textContent ?? '');
      expect(values).toHaveLength(8);
      expect(values[1]).toMatch(/^long .*…$/);
      expect(values[2]).toMatch(/^2024-01-\d\d$/);
      expect(card.textContent).toContain('and 3 columns more');
    }
    const row = (card: (typeof cards)[number]) => Number(card.querySelector('span')?.textContent?.replace('row ', ''));
    const missing = cards.filter((card) => card.querySelector('dd')?.textContent === 'missing').map(row);
    expect(missing).toEqual(cards.map(row).filter((number) => (number - 1) % 5 === 0));
  });

  it('has a row for every class with its counts, recall, precision and F1, from most to fewest training instances', async () => {
    const { report, counts } = JSON.parse(await readFile(join(run, 'evaluation.json'), 'utf8'));
    const rows = [...parseHTML(page).document.querySelectorAll('[aria-label="Table of classes"] tbody tr')].map((row) =>
      [...row.children].map((cell) => cell.textContent?.trim() ?? ''),
    );
    const percent = ({ value }: { value: number | null }) => (value === null ? '–' : `${(100 * value).toFixed(1)} %`);
    expect(rows).toHaveLength(WEIRD_NAMES.length);
    const training = rows.map((row) => Number(row[1]));
    expect(training).toEqual([...training].sort((a, b) => b - a));
    for (const [p, { name, recall, precision, f1 }] of report.perClass.entries()) {
      const row = rows.find(([label]) => label?.replace('◆ ', '') === name) ?? [];
      expect(row.slice(1, 5)).toEqual(
        [counts.training[p], counts.validation[p], counts.test[p]].map(String).concat(percent(recall)),
      );
      expect(row.slice(6)).toEqual([percent(precision), percent(f1)]);
    }
  });

  it('marks the minority classes', async () => {
    const { report } = JSON.parse(await readFile(join(run, 'evaluation.json'), 'utf8'));
    const marked = textsOf(page, 'tbody th').filter((text) => text.startsWith('◆ '));
    const names: string[] = report.minority.classes.map((p: number) => report.perClass[p].name.replace(/\s+/g, ' '));
    expect(marked.map((text) => text.slice(2)).sort()).toEqual(names.sort());
  });

  it('lists wrong answers by confidence, each of them in predictions.csv', async () => {
    const csv = await readFile(join(run, 'predictions.csv'), 'utf8');
    const confidences = textsOf(page, '.wrong .note').map((text) => Number.parseFloat(text.replace('with ', '')));
    expect(confidences.length).toBeGreaterThan(0);
    expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
    for (const name of textsOf(page, '.wrong li > span:first-of-type')) {
      expect(csv).toContain(`\n${name.replace('row ', '')},`);
    }
  });

  it('fault 32: names are inert text, and nothing may run or be loaded', () => {
    const { document } = parseHTML(page);
    expect(document.querySelector('meta[http-equiv]')?.getAttribute('content')).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; img-src data:/,
    );
    expect(document.querySelectorAll('script, img, b, i, [onerror], [href], [src]')).toHaveLength(0);
    expect(page).not.toContain('\u2028');
    for (const name of WEIRD_NAMES) {
      expect([...document.querySelectorAll('tbody th bdi')].map(({ textContent }) => textContent)).toContain(name);
    }
  });

  it('fault 32: the model card is Markdown without HTML', async () => {
    const card = await readFile(join(run, 'model-card.md'), 'utf8');
    expect(card).toMatch(/^# Model card: weird &lt;b>table.csv, enhancement\n/);
    expect(card).toContain('\\_\\_proto\\_\\_');
    expect(card).not.toMatch(/<|\u2028/);
    expect(textsOf(page, 'section:last-of-type h3')).toEqual(card.match(/(?<=^## ).*/gm));
  });

  it('draws the generator matrix of a method that has one, and none otherwise', async () => {
    expect(textsOf(page, '.multiples figcaption')).toEqual(['epoch 1', 'epoch 2']);
    const other = join(folder, 'one-hot');
    await trainOnTable(await writeWeirdTable(folder), other, { method: { name: 'one-hot' }, epochs: 1 });
    expect(textsOf(await readFile(await writeReport(other), 'utf8'), '.multiples')).toEqual([]);
  });

  it('draws rates that were not the same in all epochs, and none that were', async () => {
    const chartsOf = (html: string) =>
      [...parseHTML(html).document.querySelectorAll('svg[aria-label*="ing rate"], svg[aria-label*="ment rate"]')].map(
        (svg) => svg.getAttribute('aria-label'),
      );
    expect(chartsOf(page)).toEqual([]);
    const other = join(folder, 'auto');
    const method = { name: 'enhancement', enhancementRate: 'auto', updatingRate: 'auto' } as const;
    await trainOnTable(await writeWeirdTable(folder), other, { method, epochs: 4 });
    const drawn = await readFile(await writeReport(other), 'utf8');
    expect(chartsOf(drawn)).toEqual(['enhancement rate ε over epochs', 'updating rate μ over epochs']);
    expect(textsOf(drawn, 'figure:has(h4) .legend li')).toEqual([
      'enhancement rate ε',
      'largest of the classes',
      'median',
      'smallest',
    ]);
  });

  it('shows how to use the model with the columns that it takes', () => {
    const [node, browser, python] = textsOf(page, 'pre');
    expect(node).toContain("openModel('model.onnx')");
    expect(browser).toContain(`["<i>y</i>"]: new Tensor('float32', [0], [1, 1])`);
    expect(python).toContain('"colour": numpy.array([["green"]], dtype=object)');
  });

  it('fault 6: the same run gives the same bytes', async () => {
    const again = join(folder, 'again');
    await trainOnTable(await writeWeirdTable(folder), again);
    expect(await readFile(await writeReport(again), 'utf8')).toBe(page);
    expect(await readFile(await writeReport(run), 'utf8')).toBe(page);
  });

  it('shows ROC AUC and average precision for two classes, and the answers as they are given', async () => {
    const binary = join(folder, 'binary');
    const source = await writeWeirdTable(join(folder, 'two classes'), ['fraud', 'fine']);
    await trainOnTable(source, binary, {
      epochs: 1,
      decision: { objective: { costs: { fraud: { fine: 7 }, fine: { fraud: 1 } } } },
    });
    const html = await readFile(await writeReport(binary), 'utf8');
    expect(html).not.toContain('top-2');
    const { estimates, costs } = JSON.parse(await readFile(join(binary, 'evaluation.json'), 'utf8'));
    expect(textsOf(html, '.tiles .value')[0]).toBe(`${(100 * estimates.balancedAccuracy.value).toFixed(1)} %`);
    expect(textsOf(html, '.tiles .value').slice(5)).toEqual(
      [estimates.binary.rocAuc, estimates.binary.averagePrecision].map(({ value }) => `${(100 * value).toFixed(1)} %`),
    );
    expect(textsOf(html, '.lead')[0]).toContain('the answers, for the costs that were given');
    expect(textsOf(html, 'header p strong')).toContain(`Mean cost ${Number(costs.mean.value.toPrecision(4))}`);
    expect(await readFile(join(binary, 'model-card.md'), 'utf8')).toContain('chosen for the costs that were given');
  });

  it('of more classes with an objective draws what it trades', async () => {
    const several = join(folder, 'several');
    const source = await writeWeirdTable(join(folder, 'three classes'), ['fine', 'fraud', 'error']);
    await trainOnTable(source, several, { epochs: 1, decision: { objective: 'balanced-accuracy' } });
    const html = await readFile(await writeReport(several), 'utf8');
    expect(textsOf(html, 'h3')).toContain('Trade-off');
    expect(textsOf(html, 'figcaption').join()).toMatch(/fitted on \d+ validation instances, for balanced accuracy/);
    expect(tradeOffPath(await readRunData(several))[0]?.accuracy).toBeGreaterThan(0);
  });

  it('of two classes draws curves and scores instead of a map, which would be a curve', async () => {
    const binary = join(folder, 'curves');
    const source = await writeWeirdTable(join(folder, 'two more classes'), ['fine', 'fraud']);
    await trainOnTable(source, binary, { epochs: 1 });
    const html = await readFile(await writeReport(binary), 'utf8');
    expect(textsOf(html, 'h3').filter((title) => /ROC|Precision and|Scores|Map/.test(title))).toEqual([
      'ROC curve',
      'Precision and recall',
      'Scores',
    ]);
    expect(html).not.toContain('t-SNE');
    const { estimates, counts } = JSON.parse(await readFile(join(binary, 'evaluation.json'), 'utf8'));
    const captions = textsOf(html, 'figcaption').join(' ');
    expect(captions).toContain(`It rests on ${counts.test[1]} test instances of “fraud”.`);
    expect(captions).toContain(`Area under the curve: ${estimates.binary.rocAuc.value.toFixed(3)}.`);
    expect(captions).toContain(`Average precision: ${estimates.binary.averagePrecision.value.toFixed(3)}.`);
    expect(textsOf(page, 'h3')).toContain('Map of the test outputs');
    expect(textsOf(page, 'h3')).not.toContain('ROC curve');
    const other = join(folder, 'other curves');
    await trainOnTable(source, other, { epochs: 1, method: { name: 'one-hot' } });
    const compared = await readFile(await writeComparison([binary, other], join(folder, 'two.html')), 'utf8');
    expect(textsOf(compared, 'h3')).toEqual(expect.arrayContaining(['ROC curve', 'Precision and recall']));
    expect(compared).not.toContain('t-SNE');
  });
});

describe('the report of an image run', () => {
  it('shows the images of wrong answers if the data is given, and refuses other data', async () => {
    const source = await writeImages(folder);
    const imageRun = join(folder, 'image-run');
    await trainOnImages(source, imageRun);
    const dataset = await readImageFolder(source);
    const html = await readFile(await writeReport(imageRun, { dataset }), 'utf8');
    const sources = [...parseHTML(html).document.querySelectorAll('.wrong img')].map((image) =>
      image.getAttribute('src'),
    );
    expect(sources.length).toBe(textsOf(html, '.wrong li').length);
    expect(sources.length).toBeGreaterThan(0);
    for (const uri of sources) expect(uri).toMatch(/^data:image\/png;base64,/);
    expect(textsOf(html, '.wrong li > span:first-of-type')[0]).toMatch(/^(left|middle|right)\/\d+ & co.png$/);
    await expect(writeReport(imageRun, { dataset: { ...dataset, contentHash: 'other' } })).rejects.toThrow(
      /images is not the data of .*image-run: its content has the hash other; expected [0-9a-f]{64}\. Give the data/,
    );
  });
});

describe('a run that cannot be reported', () => {
  it('is refused while it is not complete, and nothing is written', async () => {
    const incomplete = join(folder, 'incomplete');
    await cp(run, incomplete, { recursive: true });
    for (const name of ['evaluation.json', 'report.html', 'model-card.md']) await rm(join(incomplete, name));
    const before = await readdir(incomplete);
    await expect(writeReport(incomplete)).rejects.toThrow(
      `${incomplete} is not complete: it has no evaluation.json. Continue it: npx evenhand resume ${incomplete}`,
    );
    expect(await readdir(incomplete)).toEqual(before);
  });

  it('is refused with the file that is damaged', async () => {
    const damaged = join(folder, 'damaged');
    await cp(run, damaged, { recursive: true });
    await writeFile(join(damaged, 'predictions.csv'), 'instance,class\n1,a\n');
    await expect(writeReport(damaged)).rejects.toThrow('predictions.csv has 2 columns; expected 11 for 8 classes');
    await writeFile(join(damaged, 'evaluation.json'), '{"weights": {}}');
    await expect(writeReport(damaged)).rejects.toThrow(
      'evaluation.json is not what this version of evenhand writes: weights.epoch is missing',
    );
  });
});

describe('a comparison', () => {
  it('puts seeds of a method together, means and deviations equal those of the runs, one-hot first', async () => {
    const source = await writeWeirdTable(folder);
    const runs = [
      { name: 'enhancement' as const, seed: 1 },
      { name: 'enhancement' as const, seed: 0 },
      { name: 'one-hot' as const, seed: 0 },
    ];
    const folders = runs.map(({ name, seed }) => join(folder, `${name}-${seed}`));
    for (const [i, { name, seed }] of runs.entries()) {
      await trainOnTable(source, folders[i] ?? '', { method: { name }, seed });
    }
    const html = await readFile(await writeComparison(folders, join(folder, 'comparison.html')), 'utf8');
    const evaluations = await Promise.all(
      folders.map(async (path) => JSON.parse(await readFile(join(path, 'evaluation.json'), 'utf8')).estimates),
    );
    const [a, b, c] = evaluations.map(({ balancedAccuracy }) => 100 * balancedAccuracy.value);
    const rows = textsOf(html, 'header tbody tr');
    expect(rows[0]).toMatch(/^one-hot/);
    expect(rows[0]).toContain(`${(c ?? 0).toFixed(1)} %`);
    const [mean, deviation] = [((a ?? 0) + (b ?? 0)) / 2, Math.abs((a ?? 0) - (b ?? 0)) / Math.SQRT2];
    expect(rows[1]).toMatch(new RegExp(`^enhancement ?${mean.toFixed(1)} % ?± ${deviation.toFixed(1)} %`));
    expect(textsOf(html, 'section:last-of-type tbody tr')).toHaveLength(3);
  });

  it('tells settings of the same method apart', async () => {
    const source = await writeWeirdTable(folder);
    const [slow, fast] = [join(folder, 'slow'), join(folder, 'fast')];
    await trainOnTable(source, slow, { optimizer: { name: 'adamw', learningRate: 0.001 }, epochs: 1 });
    await trainOnTable(source, fast, { optimizer: { name: 'adamw', learningRate: 0.01 }, epochs: 1 });
    const html = await readFile(await writeComparison([slow, fast], join(folder, 'rates.html')), 'utf8');
    expect(textsOf(html, 'header tbody th')).toEqual([
      'enhancement learningRate=0.001',
      'enhancement learningRate=0.01',
    ]);
  });

  it('makes no pairs of runs that were tested on different instances, and says so', async () => {
    const source = await writeWeirdTable(folder);
    const [here, there] = [join(folder, 'here'), join(folder, 'there')];
    await trainOnTable(source, here, { method: { name: 'one-hot' }, epochs: 1 });
    await trainOnTable(source, there, { data: { source, target: 'class', splitSeed: 1 }, epochs: 1 });
    const html = await readFile(await writeComparison([here, there], join(folder, 'splits.html')), 'utf8');
    expect(html).toContain('The runs were not tested on the same instances');
    expect(textsOf(html, 'header li')).toEqual([]);
  });

  it('refuses runs on other classes, and no runs', async () => {
    const other = join(folder, 'other');
    await trainOnTable(await writeWeirdTable(join(folder, 'other classes'), ['a', 'b']), other, { epochs: 1 });
    await expect(writeComparison([run, other], join(folder, 'x.html'))).rejects.toThrow(
      `${other} and ${run} have different classes; expected runs on the same data`,
    );
    await expect(writeComparison([], join(folder, 'x.html'))).rejects.toThrow('there is no run to compare');
  });
});
