// `nodes.conf`, in which each server of a Redis Cluster keeps what it knows about all of them.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a server keeps its data, and the ports on which it listens now. */
interface NodePlace {
  readonly dataDir: string;
  readonly port: number;
  readonly busPort: number;
}

/** The name of the file, relative to the data of its server. */
export const nodesFile = 'nodes.conf';

/** The address of a server as `nodes.conf` has it. */
export function addressOf({ port, busPort }: Pick<NodePlace, 'port' | 'busPort'>): string {
  return `127.0.0.1:${port}@${busPort}`;
}

export function writeNodesFile(dataDir: string, text: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, nodesFile);
  // A file that is written in part would end the server at its start.
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/**
 * Replaces the addresses of the servers in all their files, because the stack may have other ports than before. The files keep
 * their other fields: they tell which server has replaced another.
 * @returns false when a file is missing: all are written before the first server runs, so none has run
 */
export function updateAddresses(places: readonly NodePlace[]): boolean {
  const files = places.map((place) => ({ place, text: readNodesFile(place.dataDir) }));
  const addresses = new Map<string, string>();
  for (const { place, text } of files) {
    const id = ownId(text);
    if (id === undefined) return false;
    addresses.set(id, addressOf(place));
  }
  for (const { place, text } of files) {
    const updated = withAddresses(text, addresses);
    if (updated !== text) writeNodesFile(place.dataDir, updated);
  }
  return true;
}

function readNodesFile(dataDir: string) {
  const path = join(dataDir, nodesFile);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** A line begins with the id, the address and the flags of a server. */
function ownId(text: string) {
  return /^(\S+) \S+ (?:\S+,)?myself\b/m.exec(text)?.[1];
}

/** The address may be followed by a host name and other fields, which are kept. */
function withAddresses(text: string, addresses: ReadonlyMap<string, string>) {
  return text.replaceAll(/^(\S+) [^ @]*@\d+/gm, (line, id: string) =>
    addresses.has(id) ? `${id} ${addresses.get(id)}` : line,
  );
}
