export { parseCommandLine, runCommand, UsageError } from './operator-command.js';
