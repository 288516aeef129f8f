// A local stack of the bench's own: other ports, a data folder that goes away, and no rate limit in the way.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';

const LAUNCHER = fileURLToPath(new URL('../stack/start.mjs', import.meta.url));
const START_SECONDS = 300;
const STOP_SECONDS = 30;

/**
 * Starts a stack, hands its descriptor to the work, and stops it whatever happens.
 * @template T
 * @param {(stack: Record<string, any>) => Promise<T>} work
 * @param {{ port?: number, settings?: Record<string, string> }} [options]
 * @returns {Promise<T>}
 */
export async function withOwnStack(work, { port = 27_080, settings = {} } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-bench-'));
  const state = join(folder, 'state');
  const logPath = join(folder, 'start.log');
  const log = openSync(logPath, 'a');
  const launcher = spawn(process.execPath, [LAUNCHER], {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      VAULTSVC_DIR: state,
      VAULTSVC_PORT: String(port),
      RATE_LIMIT_PER_MINUTE: '100000000',
      LOG_LEVEL: 'warn',
      ...settings,
    },
  });
  closeSync(log);
  const ended = new Promise((resolve) => launcher.once('exit', resolve));
  try {
    return await work(await descriptor(join(state, 'stack.json'), launcher, logPath));
  } finally {
    launcher.kill('SIGTERM');
    await Promise.race([ended, delay(STOP_SECONDS * 1_000, undefined, { ref: false })]);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function descriptor(path, launcher, logPath) {
  const until = Date.now() + START_SECONDS * 1_000;
  while (Date.now() < until && launcher.exitCode === null) {
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error; // it is renamed into place, so it is never half there
    }
    await delay(100);
  }
  throw new Error(`the stack did not start; its output:\n${readFileSync(logPath, 'utf8').slice(-4_000)}`);
}
