import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeReproductionPage } from '../../src/page/write-reproduction-page.js';
import { LONG_TAIL_CE, longTail, resultLine, softConfusion } from './results.js';
import { folderOfTest, written } from './written-page.js';

describe('figures', () => {
  it('writes each as a file of its own and links to it', async () => {
    const { markdown, figures } = await written(longTail([90], [91]));
    const names = await readdir(figures);
    expect(names.sort()).toEqual([
      'class-distribution-long-tail.svg',
      'soft-confusion-long-tail-paper-enhancement.svg',
      'soft-confusion-long-tail-paper-one-hot.svg',
    ]);
    for (const name of names) expect(markdown).toContain(`](figures/${name})`);
  });

  it('shows the mean soft-confusion matrix over seeds', async () => {
    const lines = [0.6, 0.8].map((own, seed) =>
      resultLine(
        { ...LONG_TAIL_CE, method: 'one-hot', seed },
        { softConfusion: softConfusion(new Array<number>(10).fill(own)) },
      ),
    );
    const { figures } = await written(lines);
    const svg = await readFile(join(figures, 'soft-confusion-long-tail-paper-one-hot.svg'), 'utf8');
    expect(svg.match(/>70</g)).toHaveLength(10);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
  });

  it('tells which command makes what is not there', async () => {
    const { markdown } = await written(longTail([90], [91]));
    expect(markdown).toContain(
      'MNIST, long tail: the map needs the test outputs of one-hot and enhancement, which are in their run folders. ' +
        'The command that makes them: `npm run reproduce -- table1 --scale paper --only long-tail/ce`.',
    );
    expect(markdown).toContain('MNIST, long tail lacks re-weighting, cost-sensitiveness.');
    expect(markdown).toContain(
      'Not run, so there is no figure: MNIST, 10 % of even classes; CIFAR-10-LT; Caltech 101.',
    );
  });
});

describe('as a whole', () => {
  it('is written of nothing', async () => {
    const folder = await folderOfTest();
    const { page } = await writeReproductionPage({ results: join(folder, 'none'), folder: join(folder, 'docs') });
    expect(await readFile(page, 'utf8')).toContain('Nothing has been run with the current recipes yet.');
  });

  it('says the same in HTML and in Markdown', async () => {
    const { html, markdown } = await written(longTail([89, 90], [91, 93]));
    const headings = [...html.matchAll(/<h[23]>([^<]*)<\/h[23]>/g)].map(([, text]) => text);
    expect(headings).toEqual([...markdown.matchAll(/^###? (.*)$/gm)].map(([, text]) => text));
    expect(html.match(/<tr>/g)).toHaveLength(markdown.match(/^\|(?! :--)/gm)?.length ?? 0);
  });

  it('fault 6: gives the same bytes for the same results', async () => {
    const lines = longTail([89, 90], [91, 93]);
    const { figures: _, ...first } = await written(lines);
    expect(await written(lines)).toMatchObject(first);
  });

  it('tells machine and versions', async () => {
    const { markdown } = await written(longTail([90], []));
    expect(markdown).toContain(
      '1 run, on Test CPU, 1 thread per run; evenhand 0.1.0, ONNX Runtime 1.30.0, Node 20.20.2.',
    );
  });

  it('fault 32: hostile text is shown as text', async () => {
    const [line] = longTail([90], []);
    if (line === undefined) throw new Error('no line');
    const cpu = '<img src=x onerror=alert(1)> | `code` [link](x)';
    const { html, markdown } = await written([{ ...line, environment: { ...line.environment, cpu } }]);
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x');
    expect(markdown).toContain('&lt;img src=x onerror=alert(1)> \\| \\`code\\` \\[link\\](x)');
  });

  it('refuses a damaged line of results, by its file and number', async () => {
    const folder = await folderOfTest();
    const results = join(folder, 'results');
    await mkdir(results);
    await writeFile(join(results, 'table2.cpu.jsonl'), '{"table":"table2"}\n');
    const made = writeReproductionPage({ results, folder: join(folder, 'docs') });
    await expect(made).rejects.toThrow(/table2\.cpu\.jsonl: line 1 is not a result/);
    expect(await readdir(folder)).not.toContain('docs');
  });
});
