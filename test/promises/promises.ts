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
      'Whatever the moment, either the previous checkpoint or the new one loads, complete. There is never half of one.',
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
      'A checkpoint is saved and the exit code is 130. Pressed a second time, the program exits at once, and the checkpoint before is intact.',
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
      'A CSV file has a byte order mark, Windows line ends, UTF-16, semicolons, line breaks in quotes, or rows of unequal length',
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
      'It is listed and skipped; above a share of 10 % of such images, the folder is refused. An image with the wrong file extension is simply read.',
  },
  27: {
    about: 'images',
    fault: 'An image claims to have a billion pixels',
    promise: 'It is rejected by what its header says, before it is decoded.',
  },
  28: {
    about: 'images',
    fault: 'A class folder is empty or has sub-folders, or links lead in a circle',
    promise:
      'An empty folder is refused, images in sub-folders count for the class above them, and links to folders are not followed: nothing hangs.',
  },
  29: {
    about: 'images',
    fault: 'An archive has entries with `../`, absolute paths or links',
    promise: 'The whole archive is refused, and nothing is written outside its folder.',
  },
  30: {
    about: 'images',
    fault: 'A small compressed file unpacks to an enormous one',
    promise: 'Unpacking stops at a limit, by the bytes that really come out and not by what the file says.',
  },
  31: {
    about: 'models',
    fault: 'An ONNX model keeps its data in other files',
    promise: 'It is refused, because the paths in such a model could point to any file on your disk.',
  },
  32: {
    about: 'pages',
    fault: 'A class or a file is named like HTML or a script',
    promise:
      'Reports and pages show the name as plain text. Their content security policy allows neither scripts nor requests.',
  },
  33: {
    about: 'pages',
    fault: 'Text in a written CSV file begins like a formula (`=`, `+`, `-`, `@`)',
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
    fault: 'A foreign web page, or a request without the token, reaches the local server',
    promise:
      'The answer is 403, before anything else looks at the request; requests from `localhost` and `[::1]` with the cookie that the one-time token gave are served. Runs are found by listed ids only: no address becomes a path.',
  },
  36: {
    about: 'encoder',
    fault: 'Labels, probabilities or matrices have the wrong length, are negative or NaN, or do not sum to 1',
    promise: 'The error, in the encoder a `RangeError`, names the argument, the index and the value.',
  },
  37: {
    about: 'folders',
    fault: 'A named pipe, a socket, a device or a circle of links stands where a file or folder is expected',
    promise:
      'No command waits for it or reads it without end. Named on the command line, it is refused with what it is; inside a folder, it is skipped and named in a note.',
  },
  38: {
    about: 'tables',
    fault: 'A Parquet file is damaged, claims absurd sizes, unpacks without end or nests without end',
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
      'Even if everything is lost that had not been flushed to the disk, files and folder entries alike, resuming leads to the same bytes, or says that the run had not begun.',
  },
  42: {
    about: 'cluster',
    fault: 'A worker is killed in the middle of an epoch',
    promise:
      'Another one takes its trial over, from the last checkpoint that was uploaded, and comes to the same bytes.',
  },
  43: {
    about: 'cluster',
    fault: 'A worker is stopped for longer than its lock holds, and goes on later',
    promise:
      'It gives the trial up. Of two workers that trained the same trial one result counts; they are never mixed.',
  },
  44: {
    about: 'cluster',
    fault: 'The Redis or PostgreSQL of a queue is restarted, with or without what it held',
    promise:
      'Coordinator and workers connect again. What the server still has goes on; what it has lost is put into the queue again, from the last uploaded checkpoints. Nothing is trained twice that is known to be trained.',
  },
  45: {
    about: 'cluster',
    fault: 'The coordinator is killed',
    promise:
      'Started again, it goes on. What workers have finished meanwhile is not lost, and the results are the same bytes.',
  },
  46: {
    about: 'cluster',
    fault: 'Data or a checkpoint is damaged on its way, an upload is cut off, or the disk of a worker is full',
    promise:
      'Nothing is used whose hash is not the expected one. The trial is tried again, elsewhere if possible; if it fails in the end, the message names the worker.',
  },
  47: {
    about: 'cluster',
    fault: 'A worker has another version, another kind of processor or other data than the coordinator',
    promise:
      'It is refused, with the difference, and takes no trial; also if it came first. Only --mixed lets machines of several kinds work together, and the result says so.',
  },
  48: {
    about: 'pages',
    fault:
      'The studio shows a thousand runs, a run that is being written, one that is damaged or deleted meanwhile, and many pages at once',
    promise:
      'Only rows in sight are drawn and only changes are sent; a damaged run is listed with what is wrong, a deleted one says so. Pages that vanish leave no connection, timer or watched file behind.',
  },
  49: {
    about: 'server',
    fault: 'A client sends nonsense, too much, or too often, or the server is asked to end while it works',
    promise:
      'What cannot be read or used is answered with a 4xx status that names the row and the column; a body beyond the limit with 413; what the queue has no room for with 503 and when to come again. At SIGTERM, requests are answered, connections end after an answer, and the exit code is 0.',
  },
  50: {
    about: 'streams',
    fault:
      'In a stream a label comes late, never or twice, a class appears, a line is torn, or the process is killed in the middle',
    promise:
      'A late label is matched by its id among the last rows; a second one is counted and ignored; a row without one is forgotten after a while. A new class gets an output of its own, and those that are known keep theirs. A line that is still being written is not read; one that is no row is left out and logged. However the process ends, state, log and answers come to the same bytes, with every row counted once.',
  },
  51: {
    about: 'classes',
    fault: 'A class has fewer rows than there are folds, or a single one',
    promise:
      'It is spread as far as it goes and learned by every network that does not leave its rows out. What is measured of it comes from the folds that have it, and is `null` where none has.',
  },
  52: {
    about: 'folders',
    fault: '`--out` names a device, a named pipe, a link, an input, or a folder that does not exist',
    promise:
      'Devices and pipes are written to, never replaced. The target of a link is written, and an existing file keeps its permissions. An output that is also an input, or whose folder does not exist, is refused before any work is done.',
  },
  53: {
    about: 'tables',
    fault: 'A few cells of a numeric column are no numbers, such as a typed `12.5O`',
    promise:
      'The column stays numeric and those cells are missing; a note names them with their lines and says how many there are. `--invalid-cells refuse` refuses them instead. A column with too many such cells for that is never dropped without a word about them.',
  },
  54: {
    about: 'classes',
    fault: 'The data has thousands of classes',
    promise:
      'They train, are saved and reported on in bounded time, memory and disk. Above 128 classes, run files keep the largest entries of each row instead of all, and pages and tables show the classes that matter and say how many they leave out. Where the matrix of the labels would not fit into memory, training is refused with the number.',
  },
  55: {
    about: 'folders',
    fault:
      'An ordinary mistake: a read-only file system, a missing folder, a broken disk, too many open files, absurd sizes or numbers, a name that is too long',
    promise:
      'One message says what is wrong and what to do, and the exit code is 2. Memory is estimated before training, which is refused with the number if it does not fit. “Internal error” is kept for bugs of Evenhand.',
  },
  56: {
    about: 'tables',
    fault: 'A parser never returns',
    promise:
      'It runs in a thread that can be ended, with limits of time and memory; Ctrl-C and SIGTERM work at every moment.',
  },
  57: {
    about: 'models',
    fault: 'The names, outputs or shapes of a model file disagree, or its graph is not one that Evenhand exports',
    promise: 'It is refused when it is opened; there are never answers under the wrong names.',
  },
  58: {
    about: 'saving',
    fault: 'A lock, a checkpoint, a report or the metrics of a run are deleted or replaced by something else',
    promise:
      'Nothing hangs. A checkpoint that cannot be used gives way to the previous one, with a warning; without any, training starts over and says so. Anything else is refused by name. A report and a resumed training never write at the same time.',
  },
};
