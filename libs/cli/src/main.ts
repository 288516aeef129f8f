import { exitCodes } from './exit-codes.js';
import { readEnvironment } from './environment.js';
import { runCli } from './run-cli.js';

const interrupt = new AbortController();
process.on('SIGINT', () => {
  // The second Ctrl-C ends a command that does not stop by itself.
  if (interrupt.signal.aborted) process.exit(exitCodes.interrupted);
  interrupt.abort();
});
// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok);
  throw error;
});

// Until the command has ended: a process whose work is lost must not look as if it were done.
process.exitCode = exitCodes.failed;
// Without top-level await, which the script in the executable cannot have.
void runCli(process.argv.slice(2), {
  environment: readEnvironment(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: interrupt.signal,
}).then((code) => {
  process.exitCode = code;
});
