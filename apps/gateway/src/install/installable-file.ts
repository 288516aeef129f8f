import { createHash } from 'node:crypto';
import { installFiles } from './install-files.js';

/** A file that a deployment serves for installations. */
export interface InstallableFile {
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

/** The command line as one file and as a package, and the client as a package. */
export function installableFiles(): InstallableFile[] {
  return Object.entries(installFiles).map(([name, base64]) => {
    const body = Buffer.from(base64, 'base64');
    const contentType = name.endsWith('.tgz') ? 'application/gzip' : 'text/javascript; charset=utf-8';
    return { name, contentType, body, hash: hashOf(body) };
  });
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
