import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.mjs';

/** Time for Jest to stop the servers it started. */
const graceMs = 15_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let isStopping = false;

/**
 * Runs a program of node_modules/.bin or a script of this repository in its own process group: Ctrl-C in a terminal
 * reaches this process only, which then stops the whole group.
 * @param {string[]} command
 * @param {{ isQuiet?: boolean, NODE_OPTIONS?: string, env?: Record<string, string>, onStart?: (pid: number) => void }} options
 *   quiet: the output is returned instead of printed
 * @returns {Promise<{ code: number, output: string }>}
 */
export async function runChild(
  [program = '', ...args],
  { isQuiet = false, NODE_OPTIONS = '', env = {}, onStart },
) {
  const script = program.endsWith('.mjs')
    ? join(workspace, program)
    : join(workspace, 'node_modules/.bin', program);
  if (!existsSync(script)) return { code: 1, output: `${program} is not installed` };
  const child = spawn(process.execPath, [script, ...args], {
    cwd: workspace,
    detached: true,
    stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', isQuiet ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env, NODE_OPTIONS, NX_DAEMON: 'false', NX_TUI: 'false' },
  });
  running.add(child);
  onStart?.(child.pid ?? 0);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (exit, signal) => resolve(exit ?? (signal ? 1 : 0)));
  });
  running.delete(child);
  killGroup(child.pid); // what its own children have left behind
  // After an interruption the caller must not continue with the next step.
  return isStopping ? new Promise(() => {}) : { code, output };
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

/** @param {NodeJS.Signals} signal */
function signalAll(signal) {
  for (const { pid } of running) killGroup(pid, signal);
}

/**
 * @param {number | undefined} pid of the first process of the group
 * @param {NodeJS.Signals} signal
 */
function killGroup(pid, signal = 'SIGKILL') {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}
