import { runOperatorProgram } from './operator-program.js';

await runOperatorProgram('support-bundle', { needsService: true });
