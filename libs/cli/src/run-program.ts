import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CliError } from './failures.js';

const forwarded: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'];
/** The exit codes of shells for a program that is not found, or cannot be run. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

/** Runs a program on the terminal of this process, and returns its exit code. Signals are passed on. */
export function runProgram(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: 'inherit' });
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
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

function startFailure(program: string, { code }: NodeJS.ErrnoException): CliError {
  const isMissing = code === 'ENOENT';
  return new CliError(
    isMissing ? `There is no program ${program}.` : `${program} cannot be run (${code}).`,
    isMissing ? NOT_FOUND : NOT_EXECUTABLE,
  );
}
