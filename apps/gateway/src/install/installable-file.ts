import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A file that a deployment serves for installations. */
export interface InstallableFile {
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** The command line as one file and as a package, and the client as a package: what tools/build/install-files.ts makes. */
const names = ['vaultsvc.mjs', 'vaultsvc-cli.tgz', 'vaultsvc-client.tgz'];

/** @throws ENOENT when the folder lacks one of them */
export async function readInstallableFiles(folder: string): Promise<InstallableFile[]> {
  return Promise.all(names.map(async (name) => installableFile(name, await readFile(join(folder, name)))));
}

function installableFile(name: string, body: Buffer): InstallableFile {
  const contentType = name.endsWith('.tgz') ? 'application/gzip' : 'text/javascript; charset=utf-8';
  return { name, contentType, body, hash: hashOf(body) };
}

/** The checksum of a file, in the form that `sha256sum -c` and `shasum -c` read. */
export function checksumOf({ name, hash }: InstallableFile): InstallableFile {
  const body = Buffer.from(`${hash}  ${name}\n`);
  return {
    name: `${name}.sha256`,
    contentType: 'text/plain; charset=utf-8',
    body,
    hash: hashOf(body),
  };
}

function hashOf(body: Buffer): string {
  return createHash('sha256').update(body).digest('hex');
}
