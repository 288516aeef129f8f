import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CliError } from './failures.js';
import { Masking } from './secrets/masking.js';

const forwarded: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];
/** The exit codes of shells for a program that is not found, or cannot be run. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** The values that the output of a program must not show, and where it goes. */
export interface MaskedOutput {
  readonly values: readonly string[];
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Runs a program on the terminal of this process, and returns its exit code. Signals are passed on. With `masked` its output
 * goes through a pipe, in which values are replaced.
 */
export function runProgram(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  masked?: MaskedOutput,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const output = masked ? 'pipe' : 'inherit';
    const child = spawn(program, args, { env, stdio: ['inherit', output, output] });
    const printed = masked ? print(child, masked) : Promise.resolve();
    // Reported when the program has ended; one that cannot be started has its own error.
    printed.catch(() => undefined);
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    // A terminal sends Ctrl-C to the program itself, which decides whether to end.
    const interrupt = () => void (process.stdin.isTTY || child.kill('SIGINT'));
    const others = process.rawListeners('SIGINT') as NodeJS.SignalsListener[];
    process.removeAllListeners('SIGINT').on('SIGINT', interrupt);
    for (const signal of forwarded) process.on(signal, pass);
    const restore = () => {
      process.off('SIGINT', interrupt);
      for (const listener of others) process.on('SIGINT', listener);
      for (const signal of forwarded) process.off(signal, pass);
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      restore();
      reject(startFailure(program, error));
    });
    child.once('close', (code, signal) => {
      restore();
      const exitCode = code ?? 128 + (signal ? constants.signals[signal] : 0);
      printed.then(() => resolve(exitCode), reject);
    });
  });
}

async function print(child: ChildProcess, { values, stdout, stderr }: MaskedOutput): Promise<void> {
  const through = (from: Readable | null, to: Writable) =>
    from ? pipeline(from, new Masking(values), to, { end: false }) : Promise.resolve();
  await Promise.all([through(child.stdout, stdout), through(child.stderr, stderr)]);
}

function startFailure(program: string, { code }: NodeJS.ErrnoException): CliError {
  const isMissing = code === 'ENOENT';
  return new CliError(
    isMissing ? `There is no program ${program}.` : `${program} cannot be run (${code}).`,
    isMissing ? NOT_FOUND : NOT_EXECUTABLE,
  );
}
