import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readSafetensors, SafetensorsError } from '@evenhand/engine';
import { openRun } from 'evenhand';
import { parseConfig } from 'evenhand/config';
import { decodeImage, readTableFile } from 'evenhand/data';
import { openModel } from 'evenhand/predict';
import { extractArchive, loadPlan, readSweep } from './built.js';
import { archiveCorpus, repairTar } from './corpora/archives.js';
import { configCorpus } from './corpora/configurations.js';
import { csvCorpus } from './corpora/csv.js';
import { imageCorpus, repairPng } from './corpora/images.js';
import { gzipCorpus, jsonLinesCorpus } from './corpora/json-lines.js';
import { parquetCorpus } from './corpora/parquet.js';
import { repairSafetensors, safetensorsCorpus } from './corpora/safetensors.js';
import { modelCorpus, runCorpus } from './corpora/trained.js';
import { BYTE_MUTATIONS } from './mutations/bytes.js';
import { IMAGE_MUTATIONS } from './mutations/image.js';
import { JSON_MUTATIONS } from './mutations/json.js';
import { MODEL_MUTATIONS } from './mutations/model.js';
import { TEXT_MUTATIONS } from './mutations/text.js';
import type { Reader, Readers } from './reader.js';

const readLabelledTable: Reader['read'] = (file) => readTableFile(file, { target: 'class' });

const readAndCloseModel: Reader['read'] = async (file) => (await openModel(file)).close();

const LIMITS = { maximumBytes: 10_000_000, maximumEntries: 1000 };

const unpack: Reader['read'] = async (file, folder) => {
  const before = await readdir(folder);
  const target = join(folder, 'unpacked');
  try {
    await extractArchive(file, target, LIMITS);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
  const left = (await readdir(folder)).filter((name) => !before.includes(name));
  if (left.length > 0) throw new Error(`internal: outside its folder there is now ${left.join(', ')}`);
};

/** Everything that a folder of runs has, as the commands read it. */
const readRun: Reader['read'] = async (_, folder) => {
  const run = await openRun(folder);
  await run.classes();
  await run.metrics();
  await run.generators();
  await run.evaluation();
  await run.predictions();
  await run.checkpoint('last');
  await run.checkpoint('best');
  await loadPlan(folder);
  await readSweep(folder);
};

/** Every reader of files that somebody else may have written, or that may be damaged. A new one is a line here. */
export const READERS: Readers = {
  csv: { share: 6, corpus: csvCorpus, mutations: TEXT_MUTATIONS, read: readLabelledTable },
  'json-lines': { share: 3, corpus: jsonLinesCorpus, mutations: TEXT_MUTATIONS, read: readLabelledTable },
  gzip: { share: 2, corpus: gzipCorpus, mutations: BYTE_MUTATIONS, read: readLabelledTable },
  parquet: { share: 2, corpus: parquetCorpus, mutations: BYTE_MUTATIONS, read: readLabelledTable },
  onnx: { share: 3, corpus: modelCorpus, mutations: MODEL_MUTATIONS, read: readAndCloseModel },
  safetensors: {
    share: 2,
    corpus: safetensorsCorpus,
    mutations: JSON_MUTATIONS,
    repair: repairSafetensors,
    read: async (file) => readSafetensors(await readFile(file)),
    refusals: [SafetensorsError],
  },
  tar: { share: 2, corpus: archiveCorpus, mutations: BYTE_MUTATIONS, repair: repairTar, read: unpack },
  image: {
    share: 3,
    corpus: imageCorpus,
    mutations: IMAGE_MUTATIONS,
    repair: repairPng,
    read: (file) => decodeImage(file, [3, 32, 32]),
  },
  config: {
    share: 3,
    corpus: configCorpus,
    mutations: JSON_MUTATIONS,
    read: async (file) => parseConfig(await readFile(file, 'utf8'), file),
  },
  run: { share: 4, corpus: runCorpus, mutations: JSON_MUTATIONS, repair: repairSafetensors, read: readRun },
};
