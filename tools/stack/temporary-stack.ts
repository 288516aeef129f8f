// A local stack for a benchmark or a test run, with free ports, a temporary data folder and no effective rate limit. On a busy
// machine Redis may answer late; the limiter refuses calls then.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import type { StackDescription } from './descriptor.ts';
import { postgresDirs } from './postgres-folders.ts';
import { freeStackPort } from './servers/ports.ts';
import { stackPaths } from './settings.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const START_SECONDS = 300;
/** Services stop within 12 s, and the servers after them. */
const STOP_SECONDS = 60;

export interface TemporaryStack {
  /** The path of `stack.json`, whose pids follow restarts. */
  descriptorPath: string;
  /** Reads the current `stack.json`. */
  descriptor: () => StackDescription;
  /** Stops the stack and deletes its data. */
  stop: () => Promise<void>;
}

/**
 * Starts a stack and waits until it is ready.
 * @param options `port`: the first of 100 free
 *   ports; `checkout`: the folder of the project, this one by default; `args`: options of `npm start`
 */
export async function startTemporaryStack({
  port,
  settings = {},
  checkout = CHECKOUT,
  args = [],
}: {
  port?: number;
  settings?: Record<string, string>;
  checkout?: string;
  args?: string[];
} = {}): Promise<TemporaryStack> {
  const first = port ?? (await freeStackPort());
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-stack-'));
  const state = join(folder, 'state');
  const descriptorPath = join(state, 'stack.json');
  const environment = { VAULTSVC_DIR: state, VAULTSVC_PORT: String(first), ...settings };
  const launcher = launch(checkout, folder, environment, args);
  const stop = async () => {
    await stopAndRemove(launcher, state, folder);
    running.delete(stop);
  };
  running.add(stop);
  try {
    await ready(descriptorPath, launcher, join(folder, 'start.log'));
    return { descriptorPath, descriptor: () => readDescriptor(descriptorPath), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** How to stop each stack of this process. */
const running = new Set<() => Promise<void>>();

const signals = { SIGINT: 2, SIGTERM: 15 } as const;

/** On Ctrl-C and SIGTERM this process stops its stacks, and deletes their data, before it ends. Call it once. */
export function removeStacksOnSignals(): void {
  for (const [signal, number] of Object.entries(signals))
    process.once(signal, () => {
      const isHandled = running.size === 0 && process.listenerCount(signal) > 0; // by a benchmark with servers of its own
      if (isHandled) return;
      process.stderr.write('\nstopping, and deleting the data of the stack …\n');
      process.on('uncaughtException', () => undefined); // of connections to what stops
      void Promise.allSettled([...running].map((stop) => stop())).then(() => process.exit(128 + number));
    });
}

/** Starts a stack, passes its descriptor to the work, and stops it afterwards, also after an error. */
export async function withTemporaryStack<T>(
  work: (stack: StackDescription) => Promise<T>,
  options?: Parameters<typeof startTemporaryStack>[0],
): Promise<T> {
  const stack = await startTemporaryStack(options);
  try {
    return await work(stack.descriptor());
  } finally {
    await stack.stop();
  }
}

function launch(checkout: string, folder: string, settings: Record<string, string>, args: readonly string[]) {
  const log = openSync(join(folder, 'start.log'), 'a');
  const launcher = spawn(process.execPath, [join(checkout, 'tools/stack/start.ts'), ...args], {
    cwd: checkout,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      RATE_LIMIT_PER_MINUTE: '100000000',
      REDIS_ANSWER_MS: '30000',
      LOG_LEVEL: 'warn',
      ...settings,
    },
  });
  closeSync(log);
  return launcher;
}

async function stopAndRemove(launcher: ChildProcess, state: string, folder: string) {
  if (launcher.exitCode === null) {
    const ended = new Promise((resolve) => launcher.once('exit', resolve));
    launcher.kill('SIGTERM');
    await Promise.race([ended, delay(STOP_SECONDS * 1_000, undefined, { ref: false })]);
  }
  for (const dir of postgresDirs(stackPaths({ VAULTSVC_DIR: state })))
    rmSync(dir, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

function readDescriptor(path: string) {
  return JSON.parse(readFileSync(path, 'utf8')) as StackDescription;
}

async function ready(path: string, launcher: ChildProcess, logPath: string) {
  const until = Date.now() + START_SECONDS * 1_000;
  while (Date.now() < until && launcher.exitCode === null) {
    if (existsSync(path)) return; // written atomically, by a rename
    await delay(100);
  }
  throw new Error(`the stack did not start; its output:\n${readFileSync(logPath, 'utf8').slice(-4_000)}`);
}
