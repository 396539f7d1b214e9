import { EVENHAND } from './evenhand.js';
import { runProgram } from './run-program.js';

await runProgram(EVENHAND);
