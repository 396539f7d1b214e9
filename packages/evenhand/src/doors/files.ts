/**
 * Files that survive being killed in the middle of a write, and folders of which one process at a time is the owner.
 * `evenhand/files`.
 *
 * @packageDocumentation
 */
export { writeAtomically } from '../files/atomic-file.js';
export { errorCode, writeError } from '../files/file-error.js';
export { FolderLock } from '../files/folder-lock.js';
export { appendJsonLine, keepJsonLines, readJsonLines } from '../files/json-lines.js';
export { makeFolder } from '../files/make-folder.js';
export { isRun } from '../runs/run-files.js';
