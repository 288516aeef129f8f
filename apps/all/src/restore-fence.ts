import { runOperatorProgram } from './operator-program.js';

await runOperatorProgram('restore-fence');
