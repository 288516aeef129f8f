import { runOperatorProgram } from './operator-program.js';

await runOperatorProgram('set-billing');
