// A common interface to the plain tus server and Forge.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from '../../stack/servers/server.ts';
import { uploadSlice } from './clients.ts';
import type { Slice } from './content.ts';

/** What is used of `Transfers` in transfers.ts, which is bundled with the libs. */
export interface Transfers {
  newVault(): object;
  newFile(bytes: number, vault?: object): object;
  /** Mints the ISTK of an upload. */
  upload(file: object): Promise<string>;
  download(file: object, mode: 'once' | 'stream'): Promise<string>;
  remove(file: object): Promise<void>;
}

export interface Target {
  name: string;
  /** Its processes, for the processor time. */
  pids: Record<string, number> & { server: number };
  upload: (slice: Slice) => Promise<TargetFile>;
}

/** An uploaded file. */
export interface TargetFile {
  /** Resolves with a URL that downloads the file. */
  url: (mode?: 'once' | 'stream') => Promise<string>;
  remove: () => Promise<void>;
}

export function plainTarget(server: Server, folder: string): Target {
  return {
    name: 'plain tus server',
    pids: { server: server.pid },
    upload: async (slice) => {
      const url = await uploadSlice(`${server.url}/files`, slice);
      const path = join(folder, url.split('/').at(-1) ?? '');
      const remove = async () => {
        await Promise.all([path, `${path}.json`].map((file) => rm(file, { force: true })));
      };
      return { url: async () => url, remove };
    },
  };
}

export function forgeTarget(
  name: string,
  server: Server,
  transfers: Transfers,
  infrastructure: { database: Server; nats: Server },
): Target {
  const url = (path: string, istk: string) => `${server.url}${path}?istk=${istk}`;
  return {
    name,
    pids: { server: server.pid, database: infrastructure.database.pid, nats: infrastructure.nats.pid },
    upload: async (slice) => {
      const file = transfers.newFile(slice.bytes);
      await uploadSlice(url('/encrypt', await transfers.upload(file)), slice);
      return {
        url: async (mode = 'once') => url('/decrypt', await transfers.download(file, mode)),
        remove: () => transfers.remove(file),
      };
    },
  };
}
