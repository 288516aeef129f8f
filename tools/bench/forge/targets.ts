// @ts-nocheck
// A common interface to the plain tus server and Forge.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadSlice } from './clients.ts';

export interface Target {
  name: string;
  /** Its processes, for the processor time. */
  pids: Record<string, number>;
  /** Uploads a slice; resolves with a reference to the file. */
  upload: (slice: object) => Promise<any>;
  /** Resolves with a URL that downloads the file. */
  urlOf: (file: any, mode?: 'once' | 'stream') => Promise<string>;
  /** Deletes the file. */
  remove: (file: any) => Promise<void>;
}

export function plainTarget(server, folder): Target {
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

export function forgeTarget(name, server, transfers, infrastructure): Target {
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
