// A folder for everything that a bench writes. It goes away with its end, however that comes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reapChildren } from '../../stack/servers/children.mjs';
import { Server } from '../../stack/servers/server.mjs';

/**
 * @typedef {object} Place
 * @property {string} dir
 * @property {string} childrenDir where servers are noted
 * @property {number} freeBytes of its disk, at the beginning
 * @property {(name: string) => string} folder made in it unless it is there
 * @property {(args: string[], env?: object) => Promise<void>} run a program of Node to its end
 * @property {(plan: import('../../stack/servers/server.mjs').ServerPlan) => Promise<Server>} start a server
 * @property {() => Promise<void>} close ends programs, and lets nothing more begin
 */

/**
 * Hands the folder to the work; then ends the servers that were noted in it and removes it, Ctrl-C included.
 * @template T
 * @param {(place: Place) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withPlace(work) {
  const place = makePlace();
  let removal;
  let isInterrupted = false;
  const remove = () => (removal ??= removePlace(place));
  const interrupted = () => {
    isInterrupted = true;
    void remove().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupted);
  try {
    return await work(place);
  } catch (error) {
    // Whatever fails for want of its servers is of no interest; the process is about to end.
    if (isInterrupted) await new Promise(() => {});
    throw error;
  } finally {
    await remove();
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
  }
}

function makePlace() {
  const dir = mkdtempSync(join(tmpdir(), 'vaultsvc-bench-'));
  chmodSync(dir, 0o711); // PostgreSQL may run as another user, who must be able to pass through
  const { bavail, bsize } = statfsSync(dir);
  const folder = (name) => {
    const path = join(dir, name);
    mkdirSync(path, { recursive: true, mode: 0o711 });
    return path;
  };
  return { dir, childrenDir: join(dir, 'children'), freeBytes: bavail * bsize, folder, ...programs() };
}

/** What runs in the folder. Once it is closed nothing more begins, and whatever wrote into it has ended. */
function programs() {
  const running = new Map();
  let isClosed = false;
  const assertOpen = () => {
    if (isClosed) throw new Error('the bench is over');
  };
  const run = (args, env = process.env) => {
    assertOpen();
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = endOf(child);
    running.set(child, ended);
    return ended.finally(() => running.delete(child));
  };
  const start = (plan) => {
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

/** Its children too: `close` comes when nobody holds its output any more. */
async function endOf(child) {
  let said = '';
  child.stderr.on('data', (part) => (said += part));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${code}\n${said}`);
}

async function removePlace({ dir, childrenDir, close }) {
  await close();
  await reapChildren(childrenDir, 3_000);
  rmSync(dir, { recursive: true, force: true });
}
