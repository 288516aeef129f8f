import { exitCodes } from './exit-codes.js';
import { readEnvironment } from './environment.js';
import { runCli } from './run-cli.js';
import { OPENER, runOpener } from './transfers/link-opener.js';

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

// The executable has no script; in its place Node repeats the name by which it was started, which may be no path.
const isExecutable = process.getBuiltinModule('node:sea').isSea();
const [program = process.execPath, script = program] = process.argv;
const self = isExecutable ? [process.execPath] : [program, script];

/** Without top-level await, which the script in the executable cannot have. */
async function run(): Promise<number> {
  if (process.argv[2] === OPENER) return runOpener(process.stdin, process.stdout).then(() => exitCodes.ok);
  return runCli(process.argv.slice(2), {
    environment: { ...readEnvironment(), self },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    signal: interrupt.signal,
  });
}

// Until the command has ended: a process whose work is lost must not look as if it were done.
process.exitCode = exitCodes.failed;
void run().then((code) => {
  process.exitCode = code;
});
