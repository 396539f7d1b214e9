/** What Evenhand promises where something goes wrong. */
export interface Promised {
  readonly about: keyof typeof HEADINGS;
  /** What goes wrong, as a heading. */
  readonly fault: string;
  /** What Evenhand does then. */
  readonly promise: string;
  /**
   * For a promise that cannot be kept yet: the capability that it is about, which has no file or folder of that name in
   * `packages` so far.
   */
  readonly waitsFor?: string;
}

/** In the order of the page. */
export const HEADINGS = {
  saving: 'Saving and resuming',
  folders: 'Disks, folders and other processes',
  cluster: 'Several machines',
  tables: 'Tables',
  classes: 'Classes and training',
  images: 'Images and archives',
  models: 'Models and predictions',
  server: 'The prediction server',
  streams: 'Streams',
  pages: 'Names, pages and exported files',
  encoder: 'The encoder, losses and metrics',
} as const;

/** By number, which is for good: tests name them as "fault 17". */
export const PROMISES: Readonly<Record<number, Promised>> = {
  1: {
    about: 'saving',
    fault: 'The process is killed while it saves a checkpoint',
    promise:
      'Whenever that happens, either the previous checkpoint or the new one loads, complete. There is never half of one.',
  },
  2: {
    about: 'saving',
    fault: 'The process is killed before a finished file gets its final name',
    promise: 'Resuming ignores the temporary file and removes it.',
  },
  3: {
    about: 'saving',
    fault: 'A checkpoint is cut off, or a bit of it has flipped',
    promise:
      'The checksum does not match, and the message names the file. The previous checkpoint is used instead, with a warning.',
  },
  4: {
    about: 'saving',
    fault: 'Training is interrupted and resumed later',
    promise: 'Weights, metrics and random numbers are the same, bit for bit, as if it had never been interrupted.',
  },
  5: {
    about: 'saving',
    fault: 'Training stops in the middle of an epoch',
    promise: 'Resuming continues with the next batch: no example is skipped, none is trained on twice.',
  },
  6: {
    about: 'saving',
    fault: 'The same training runs twice',
    promise: 'With the same seed and the same number of threads, both runs write the same bytes.',
  },
  7: {
    about: 'saving',
    fault: 'Two runs have different seeds',
    promise: 'Their results differ: the seed really decides what is random.',
  },
  8: {
    about: 'saving',
    fault: 'A run is resumed with other options or other data',
    promise: 'It is refused, and every difference is shown. `--override` continues anyway.',
  },
  9: {
    about: 'saving',
    fault: 'You press Ctrl-C',
    promise:
      'A checkpoint is saved and the exit code is 130. Pressed a second time, the program exits at once, and the previous checkpoint is intact.',
  },
  10: {
    about: 'saving',
    fault: 'The system asks the process to end (SIGTERM)',
    promise: 'A checkpoint is saved and the exit code is 143.',
  },
  11: {
    about: 'folders',
    fault: 'The disk is full',
    promise: 'The message says so, and the last good checkpoint is kept.',
  },
  12: {
    about: 'folders',
    fault: 'The run folder cannot be written, or is used for something else',
    promise: 'It is refused before training starts, and what is in it stays as it is.',
  },
  13: {
    about: 'folders',
    fault: 'Two processes use one run folder',
    promise:
      'The second is refused. The lock of a process that no longer exists is recognised and does not block anybody.',
  },
  14: {
    about: 'classes',
    fault: 'The loss becomes NaN or infinite',
    promise:
      'Training stops and names the step and the examples in its batch, with advice on what to change. Such weights are never saved as the best ones.',
  },
  15: {
    about: 'saving',
    fault: 'A checkpoint was written by a newer version of Evenhand',
    promise: 'It is refused with both version numbers, and not quietly replaced by an older checkpoint.',
  },
  16: {
    about: 'saving',
    fault: 'The last line of a metrics file is incomplete',
    promise: 'Readers skip the line; resuming removes it.',
  },
  17: {
    about: 'tables',
    fault: 'Numeric cells are empty, NaN, "N/A" or infinite',
    promise:
      'They are counted per column and filled in with the median of the training rows, which is stored in the model. `--missing-values refuse` refuses them instead.',
  },
  18: {
    about: 'tables',
    fault: 'Rows have no class',
    promise: 'The table is refused and the rows are listed. `--missing-labels drop` leaves them out.',
  },
  19: {
    about: 'tables',
    fault:
      'A CSV file has a byte order mark, Windows line endings, UTF-16, semicolons, line breaks in quotes, or rows of unequal length',
    promise: 'It is read correctly, or refused with the number of the line.',
  },
  20: {
    about: 'tables',
    fault: 'A column name is empty or used twice, or the target column does not exist',
    promise: 'The table is refused; for a missing target, the most similar name is suggested.',
  },
  21: {
    about: 'classes',
    fault: 'The data has only one class',
    promise: 'Training is refused.',
  },
  22: {
    about: 'classes',
    fault: 'A class has too few rows to be split',
    promise:
      'It is trained on but left out of the test, and you are told so; `--rare-classes` refuses, merges or drops such classes. Where too little is left to train or test, the data is refused with the counts.',
  },
  23: {
    about: 'classes',
    fault: 'The validation or test set has no example of a class',
    promise: 'The metric of that class is `null`, with the reason. It is never 0.',
  },
  24: {
    about: 'models',
    fault: 'New data has a class that the model was not trained on',
    promise:
      'The class is named in an error. The other classes keep their numbers, because the list of classes is part of the model.',
  },
  25: {
    about: 'models',
    fault: 'New data has its columns in another order, or lacks one',
    promise: 'Columns are matched by name; a missing one is named and refused.',
  },
  26: {
    about: 'images',
    fault: 'An image is damaged, cut off, empty or not an image',
    promise:
      'It is listed and skipped; if more than 10 % of the images are like this, the folder is refused. An image with the wrong file extension is simply read.',
  },
  27: {
    about: 'images',
    fault: 'An image claims to have a billion pixels',
    promise: 'It is rejected because of the size in its header, before it is decoded.',
  },
  28: {
    about: 'images',
    fault: 'A class folder is empty or has subfolders, or links form a loop',
    promise:
      'An empty folder is refused, images in subfolders belong to the class of the top folder, and links to folders are not followed: nothing hangs.',
  },
  29: {
    about: 'images',
    fault: 'An archive has entries with `../`, absolute paths or links',
    promise: 'The whole archive is refused, and nothing is written outside its folder.',
  },
  30: {
    about: 'images',
    fault: 'A small compressed file unpacks to an enormous one',
    promise: 'Unpacking stops at a limit on the bytes that actually come out, whatever size the file claims.',
  },
  31: {
    about: 'models',
    fault: 'An ONNX model keeps its data in other files',
    promise: 'It is refused, because the paths in such a model could point to any file on your disk.',
  },
  32: {
    about: 'pages',
    fault: 'The name of a class or file contains HTML or a script',
    promise:
      'Reports and pages show the name as plain text. Their content security policy allows neither scripts nor requests.',
  },
  33: {
    about: 'pages',
    fault: 'Text in a CSV file that Evenhand writes begins like a formula (`=`, `+`, `-`, `@`)',
    promise: 'It is written so that a spreadsheet shows it and does not run it. Numbers are left alone.',
  },
  34: {
    about: 'pages',
    fault: 'Something is called `__proto__` or `toString`',
    promise:
      'As an option it is refused. As the name of a class or column it works like any other. No object of the program is changed.',
  },
  35: {
    about: 'pages',
    fault: 'A request from another web site, or without the token, reaches the local server',
    promise:
      'It is answered with 403 before anything else looks at it. Requests to `localhost`, `127.0.0.1` and `[::1]` are served if they carry the cookie that the one-time token was exchanged for. Runs are looked up by listed ids only: no URL becomes a file path.',
  },
  36: {
    about: 'encoder',
    fault: 'Labels, probabilities or matrices have the wrong length, are negative or NaN, or do not sum to 1',
    promise: 'The error (a `RangeError` in the encoder) names the argument, the index and the value.',
  },
  37: {
    about: 'folders',
    fault: 'A named pipe, a socket, a device or a loop of links stands where a file or folder is expected',
    promise:
      'No command waits for it or reads it forever. Given on the command line, it is refused and the message says what it is; inside a folder, it is skipped and a note names it.',
  },
  38: {
    about: 'tables',
    fault: 'A Parquet file is damaged, claims absurd sizes, or unpacks or nests endlessly',
    promise: 'It is refused, or read where the damage does no harm, in bounded time and memory.',
  },
  39: {
    about: 'folders',
    fault: 'The folder that a data set is fetched into already holds other files',
    promise: 'They stay as they are; only the data set’s own files are completed or replaced.',
  },
  40: {
    about: 'folders',
    fault: 'Two processes use the same results file, or the same folder of a sweep or of several runs',
    promise: 'The second is refused. No line is torn, and none is lost.',
  },
  41: {
    about: 'saving',
    fault: 'The power fails',
    promise:
      'Even if everything that had not been flushed to disk is lost, files and folder entries alike, the resumed run ends with the same bytes, or resuming says that the run had not begun.',
  },
  42: {
    about: 'cluster',
    fault: 'A worker is killed in the middle of an epoch',
    promise:
      'Another worker takes over its trial (one training run) from the last uploaded checkpoint and ends with the same bytes.',
  },
  43: {
    about: 'cluster',
    fault: 'A worker is suspended for longer than its lock lasts, and then continues',
    promise:
      'It gives up the trial. If two workers trained the same trial, only one result counts; the two are never mixed.',
  },
  44: {
    about: 'cluster',
    fault: 'The Redis or PostgreSQL server behind a queue is restarted, with or without its data',
    promise:
      'The coordinator and the workers reconnect. Trials that the server still has continue; those it has lost are queued again and continue from their last uploaded checkpoints. No trial that is known to be finished is trained again.',
  },
  45: {
    about: 'cluster',
    fault: 'The coordinator is killed',
    promise:
      'When it is started again, it continues. What the workers finished in the meantime is not lost, and the results are the same bytes.',
  },
  46: {
    about: 'cluster',
    fault: 'Data or a checkpoint is damaged in transit, an upload is cut off, or the disk of a worker is full',
    promise:
      'Nothing is used unless its hash is the expected one. The trial is retried, on another worker if possible; if it keeps failing, the message names the worker.',
  },
  47: {
    about: 'cluster',
    fault: 'The version, the kind of processor or the data of a worker differs from the coordinator’s',
    promise:
      'It is refused with the difference and takes no trial, even if it was there before the coordinator. Only `--mixed` lets machines of several kinds work together, and the result says so.',
  },
  48: {
    about: 'pages',
    fault:
      'The studio shows a thousand runs, a run that is being written, one that is damaged, one that is deleted meanwhile, and many pages at once',
    promise:
      'Only visible rows are drawn and only changes are sent; a damaged run is listed with what is wrong, and the page of a deleted run says that it is gone. Pages that disappear leave no connection, timer or watched file behind.',
  },
  49: {
    about: 'server',
    fault: 'A client sends nonsense, too much, or too often, or the server is asked to shut down while it works',
    promise:
      'What cannot be read or used is answered with a 4xx status and a message that names the row and the column; a body beyond the limit with 413; a request that the queue has no room for with 503 and the time after which to retry. On SIGTERM, requests already received are answered, each connection is closed after its answer, and the exit code is 0.',
  },
  50: {
    about: 'streams',
    fault:
      'In a stream, a label comes late, never or twice, a new class appears, a line is incomplete, or the process is killed',
    promise:
      'A late label is matched by its id to one of the most recent rows; a second label is counted and ignored; a row that gets none is forgotten after a while. A new class gets an output of its own, and known classes keep theirs. A line is read once it is complete; one that is not a row is skipped and logged. However often the process is killed and started again, state, log and answers end with the same bytes, and every row is counted once.',
  },
  51: {
    about: 'classes',
    fault: 'A class has fewer rows than there are folds, perhaps only one',
    promise:
      'Its rows are spread over as many folds as possible, and each network learns from those outside the fold that it leaves out. Its metrics come from the folds that have such rows, and are `null` where none has.',
  },
  52: {
    about: 'folders',
    fault: '`--out` names a device, a named pipe, a link, an input, or a folder that does not exist',
    promise:
      'Devices and pipes are written to, never replaced. Writing to a link writes its target, and an existing file keeps its permissions. An output that is also an input, or whose folder does not exist, is refused before any work is done.',
  },
  53: {
    about: 'tables',
    fault: 'A few cells of a numeric column are not numbers, such as `12.5O` with a letter for the zero',
    promise:
      'The column stays numeric and those cells count as missing; a note gives their values, lines and number. `--invalid-cells refuse` refuses them instead. A column with too many such cells to stay numeric is never dropped without a note about them.',
  },
  54: {
    about: 'classes',
    fault: 'The data has thousands of classes',
    promise:
      'Training, saving and reporting take bounded time, memory and disk space. Above 128 classes, run files keep the largest entries of each row instead of all, and pages and tables show the classes that matter and say how many they leave out. If the label matrix would not fit into memory, training is refused, with the memory needed and the memory there is.',
  },
  55: {
    about: 'folders',
    fault:
      'An ordinary mistake: a read-only file system, a missing folder, a broken disk, too many open files, absurd sizes or numbers, a name that is too long',
    promise:
      'One message says what is wrong and what to do, and the exit code is 2. Memory is estimated beforehand, and training that would not fit is refused with the estimate. “Internal error” is reserved for bugs in Evenhand.',
  },
  56: {
    about: 'tables',
    fault: 'A parser never returns',
    promise:
      'It runs in a thread that can be terminated, with limits on time and memory; Ctrl-C and SIGTERM work at any moment.',
  },
  57: {
    about: 'models',
    fault: 'The names, outputs or shapes of a model file disagree, or its graph is not one that Evenhand exports',
    promise: 'It is refused when it is opened, so answers never appear under the wrong names.',
  },
  58: {
    about: 'saving',
    fault: 'A lock, a checkpoint, a report or the metrics of a run are deleted or replaced by something else',
    promise:
      'Nothing hangs. A checkpoint that cannot be used gives way to the previous one, with a warning; if there is none, training starts over and says so. Anything else in their place is refused by name. A report and a resumed training never write at the same time.',
  },
};
