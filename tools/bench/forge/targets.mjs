// Two ways to keep a file and get it back, behind one shape: the plain tus server and Forge.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadSlice } from './clients.mjs';

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {Record<string, number>} pids the processes that work for it
 * @property {(slice: object) => Promise<any>} upload gives what names the file from then on
 * @property {(file: any, mode?: 'once' | 'stream') => Promise<string>} urlOf to download it from
 * @property {(file: any) => Promise<void>} remove
 */

/** @returns {Target} */
export function plainTarget(server, folder) {
  return {
    name: 'plain tus server',
    pids: { server: server.pid },
    upload: (slice) => uploadSlice(`${server.url}/files`, slice),
    urlOf: async (url) => url,
    remove: async (url) => {
      const path = join(folder, url.split('/').at(-1));
      await Promise.all([path, `${path}.json`].map((file) => rm(file, { force: true })));
    },
  };
}

/** @returns {Target} */
export function forgeTarget(name, server, transfers, infrastructure) {
  const url = (path, istk) => `${server.url}${path}?istk=${istk}`;
  return {
    name,
    pids: { server: server.pid, database: infrastructure.database.pid, nats: infrastructure.nats.pid },
    upload: async (slice) => {
      const file = transfers.newFile(slice.bytes);
      await uploadSlice(url('/encrypt', await transfers.upload(file)), slice);
      return file;
    },
    urlOf: async (file, mode = 'once') => url('/decrypt', await transfers.download(file, mode)),
    remove: (file) => transfers.remove(file),
  };
}
