// A folder for everything that a bench writes. It goes away with its end, however that comes.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reapChildren } from '../../stack/servers/children.mjs';

/** @typedef {{ dir: string, childrenDir: string, freeBytes: number, folder: (name: string) => string }} Place */

/**
 * Hands the folder to the work; then ends the servers that were noted in it and removes it, Ctrl-C included.
 * @template T
 * @param {(place: Place) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withPlace(work) {
  const place = makePlace();
  let removal;
  const remove = () => (removal ??= removePlace(place));
  const interrupted = () => void remove().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupted);
  try {
    return await work(place);
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
  return { dir, childrenDir: join(dir, 'children'), freeBytes: bavail * bsize, folder };
}

async function removePlace({ dir, childrenDir }) {
  await reapChildren(childrenDir, 3_000);
  rmSync(dir, { recursive: true, force: true });
}
