// A common interface to the plain tus server and Forge.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadSlice } from './clients.mjs';

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {Record<string, number>} pids its processes, for the processor time
 * @property {(slice: object) => Promise<any>} upload uploads a slice; resolves with a reference to the file
 * @property {(file: any, mode?: 'once' | 'stream') => Promise<string>} urlOf resolves with a URL that downloads the file
 * @property {(file: any) => Promise<void>} remove deletes the file
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
