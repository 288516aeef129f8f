import { unknownSettingsOfAll } from '@vaultsvc/config';
import { runOperatorProgram } from './operator-program.js';

for (const { name, nearest } of unknownSettingsOfAll())
  process.stdout.write(`warn  ${'settings'.padEnd(22)}  unknown setting ${name}: did you mean ${nearest}?\n`);
await runOperatorProgram('check');
