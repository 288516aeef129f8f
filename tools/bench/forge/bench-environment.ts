// A temporary folder and the processes of a benchmark, which are removed at its end, also after Ctrl-C.
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { reapChildren } from '../../stack/servers/children.ts';
import { Server, type ServerPlan } from '../../stack/servers/server.ts';

export interface BenchEnvironment {
  dir: string;
  /** The folder that records the servers. */
  childrenDir: string;
  /** Free space of its disk at the start. */
  freeBytes: number;
  /** Creates a subfolder unless it exists. */
  folder: (name: string) => string;
  /** Runs a Node program to completion. */
  run: (args: string[], env?: NodeJS.ProcessEnv) => Promise<void>;
  /** Starts a server. */
  start: (plan: ServerPlan) => Promise<Server>;
  /** Ends the programs and prevents further starts. */
  close: () => Promise<void>;
}

/** The environment with a folder of its own inside, for one of two sides that use the same names. */
export function sideOf(bench: BenchEnvironment, name: string): BenchEnvironment {
  return { ...bench, dir: bench.folder(name), folder: (sub) => bench.folder(join(name, sub)) };
}

/** Passes an environment to the work; then stops its servers and deletes its folder, also after Ctrl-C. */
export async function withBenchEnvironment<T>(work: (bench: BenchEnvironment) => Promise<T>): Promise<T> {
  const bench = createEnvironment();
  let removal: Promise<void> | undefined;
  let isInterrupted = false;
  const remove = () => (removal ??= removeEnvironment(bench));
  const interrupted = () => {
    isInterrupted = true;
    void remove().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupted);
  try {
    return await work(bench);
  } catch (error) {
    // Errors after an interruption are caused by the stopped servers, and the process is about to exit.
    if (isInterrupted) await new Promise(() => {});
    throw error;
  } finally {
    await remove();
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
  }
}

function createEnvironment(): BenchEnvironment {
  const dir = mkdtempSync(join(tmpdir(), 'vaultsvc-bench-'));
  chmodSync(dir, 0o711); // PostgreSQL may run as another user, which needs to traverse the folder
  const { bavail, bsize } = statfsSync(dir);
  const folder = (name: string) => {
    const path = join(dir, name);
    mkdirSync(path, { recursive: true, mode: 0o711 });
    return path;
  };
  return { dir, childrenDir: join(dir, 'children'), freeBytes: bavail * bsize, folder, ...programs() };
}

/** The programs of an environment. `close` prevents further starts and waits for the exit of the running ones. */
function programs(): Pick<BenchEnvironment, 'run' | 'start' | 'close'> {
  const running = new Map<ChildProcess, Promise<void>>();
  let isClosed = false;
  const assertOpen = () => {
    if (isClosed) throw new Error('the benchmark has ended');
  };
  const run = async (args: string[], env = process.env) => {
    assertOpen();
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = endOf(child);
    running.set(child, ended);
    await ended.finally(() => running.delete(child));
  };
  const start = async (plan: ServerPlan) => {
    assertOpen();
    return new Server(plan).start();
  };
  const close = async () => {
    isClosed = true;
    for (const child of running.keys()) child.kill();
    await Promise.allSettled(running.values());
  };
  return { run, start, close };
}

/** Waits for the child and its descendants: `close` follows when no process has its output open. */
async function endOf(child: ChildProcessByStdio<null, null, Readable>) {
  let output = '';
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} exited with ${code}\n${output}`);
}

async function removeEnvironment({ dir, childrenDir, close }: BenchEnvironment) {
  await close();
  await reapChildren(childrenDir, 3_000);
  rmSync(dir, { recursive: true, force: true });
}
