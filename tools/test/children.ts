import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { workspace } from '../stack/settings.ts';

/** Time for Jest to stop the servers it started. */
const graceMs = 15_000;

const running: Set<ChildProcess> = new Set();
let isStopping = false;

/**
 * Runs a program of node_modules/.bin or a script of this repository in its own process group: Ctrl-C in a terminal
 * reaches this process only, which then stops the whole group.
 * @param options quiet: the output is returned instead of printed; hidden: lines of its errors that are not printed; niceness: 0 to
 * 19, how far others go before it
 */
export async function runChild(
  [program = '', ...args]: string[],
  {
    isQuiet = false,
    hidden,
    NODE_OPTIONS = '',
    env = {},
    niceness = 0,
    onStart,
  }: {
    isQuiet?: boolean;
    hidden?: RegExp;
    NODE_OPTIONS?: string;
    env?: Record<string, string>;
    niceness?: number;
    onStart?: (pid: number) => void;
  },
): Promise<{ code: number; output: string }> {
  const script = /\.(ts|mjs)$/.test(program)
    ? join(workspace, program)
    : join(workspace, 'node_modules/.bin', program);
  if (!existsSync(script)) return { code: 1, output: `${program} is not installed` };
  const child = spawn(process.execPath, [script, ...args], {
    cwd: workspace,
    detached: true,
    stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet || hidden ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env, NODE_OPTIONS, NX_DAEMON: 'false', NX_TUI: 'false' },
  });
  running.add(child);
  if (child.pid && niceness > 0) setPriority(child.pid, niceness);
  onStart?.(child.pid ?? 0);
  let output = '';
  if (hidden && child.stderr) printExcept(hidden, child.stderr);
  else for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (exit, signal) => resolve(exit ?? (signal ? 1 : 0)));
  });
  running.delete(child);
  killGroup(child.pid); // what its own children have left behind
  // After an interruption the caller must not continue with the next step.
  return isStopping ? new Promise(() => {}) : { code, output };
}

/** Prints the lines of the errors of a child, without those that match. */
function printExcept(hidden: RegExp, errors: Readable) {
  createInterface(errors).on('line', (line) => hidden.test(line) || process.stderr.write(`${line}\n`));
}

/** SIGINT and SIGTERM stop the children, then this process with the exit code of an interruption. */
export function stopOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void stop());
}

async function stop() {
  if (isStopping) return;
  isStopping = true;
  const ended = [...running].map((child) => new Promise((resolve) => child.once('close', resolve)));
  signalAll('SIGINT');
  const timer = setTimeout(() => signalAll('SIGKILL'), graceMs);
  await Promise.all(ended);
  clearTimeout(timer);
  process.stdout.write('\nInterrupted.\n');
  process.exit(130);
}

function signalAll(signal: NodeJS.Signals) {
  for (const { pid } of running) killGroup(pid, signal);
}

/** @param pid of the first process of the group */
function killGroup(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL') {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}
