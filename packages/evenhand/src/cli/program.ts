import { Command } from 'commander';
import { checkCommand } from './commands/check.js';
import { compareCommand } from './commands/compare.js';
import { completionCommand } from './commands/completion.js';
import { dataCommand } from './commands/data.js';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { evaluateCommand } from './commands/evaluate.js';
import { predictCommand } from './commands/predict.js';
import { referenceCommand } from './commands/reference.js';
import { reportCommand } from './commands/report.js';
import { reproduceCommand } from './commands/reproduce.js';
import { resumeCommand } from './commands/resume.js';
import { sweepCommand } from './commands/sweep.js';
import { trainCommand } from './commands/train.js';
import { packageVersion } from './version.js';

/** The command line, ready to run. */
export interface Program {
  readonly root: Command;
  /** Runs a command. Whether it found problems in what it was given. */
  parse(args: readonly string[]): Promise<boolean>;
}

/** @param complain - is told what is wrong with the words on the command line */
export function createProgram(complain: (text: string) => void): Program {
  const root = new Command('evenhand')
    .description('Trains classifiers on imbalanced data: from a lopsided table or image folder to a model.')
    .version(packageVersion(), '-V, --version', 'the version')
    .helpOption('-h, --help', 'this help')
    .helpCommand('help [command]', 'Shows the help of a command.')
    .addHelpText(
      'after',
      `\nStart here:\n  npx evenhand demo\n  npx evenhand check data.csv\n  npx evenhand train data.csv --target class`,
    );
  root.exitOverride().configureOutput({
    outputError: (text) => complain(text.replace(/^error: /, '').trimEnd()),
  });
  let problems = false;
  const onProblems = () => {
    problems = true;
  };
  const commands = [
    checkCommand(onProblems),
    trainCommand(),
    resumeCommand(),
    sweepCommand(),
    evaluateCommand(),
    predictCommand(),
    compareCommand(),
    reportCommand(),
    reproduceCommand(onProblems),
    dataCommand(),
    doctorCommand(),
    demoCommand(),
    completionCommand(root),
  ];
  for (const command of commands) adopt(root, command);
  adopt(root, referenceCommand(root), true);
  return {
    root,
    parse: async (args) => {
      await root.parseAsync(args, { from: 'user' });
      return problems;
    },
  };
}

/** Commands that are made on their own do not inherit how to speak and to exit. */
function adopt(parent: Command, command: Command, hidden = false): void {
  command.copyInheritedSettings(parent);
  for (const inner of command.commands) inner.copyInheritedSettings(parent);
  parent.addCommand(command, { hidden });
}
