/**
 * Data: read, split, and brought into the form that networks take. `evenhand/data`.
 *
 * @packageDocumentation
 */
export type { Column, ColumnType } from '../dataset/column.js';
export type { Dataset, ImageDataset, TableDataset } from '../dataset/dataset.js';
export { decodeImage } from '../images/decode-image.js';
export { caltech101Folder, readCaltech101 } from '../sources/caltech101.js';
export { readCifar10 } from '../sources/cifar10.js';
export { dataFolder } from '../sources/data-folder.js';
export { type FetchableDataset, fetchDataset } from '../sources/fetch.js';
export { type ImageFolderOptions, readImageFolder } from '../sources/image-folder.js';
export { readFashionMnist, readMnist } from '../sources/mnist.js';
export { type OpenDatasetOptions, openDataset } from '../sources/open-source.js';
export type { FetchOptions } from '../sources/packaged-dataset.js';
export { readTableFile, type TableFileOptions } from '../sources/table-file.js';
export type { ImbalanceProfile } from '../splits/imbalance/imbalance-profile.js';
export { type RareClassRule, treatRareClasses } from '../splits/rare-classes.js';
export { type Split, splitDataset } from '../splits/split-dataset.js';
export type { SplitOptions } from '../splits/split-options.js';
export { type FoldOptions, stratifiedFolds } from '../splits/stratified-folds.js';
