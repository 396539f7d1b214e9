import { runProgram } from 'evenhand/command-line';
import { PAPER } from './program.js';

await runProgram(PAPER);
