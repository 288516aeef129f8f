import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Their checksums, as `sha256sum --check` reads them. */
export const checksumsFile = 'SHA256SUMS';

/** Writes the SHA-256 of every other file of the folder. */
export function writeChecksums(folder: string): void {
  const names = readdirSync(folder).filter((name) => name !== checksumsFile);
  const lines = names.sort().map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  writeFileSync(join(folder, checksumsFile), lines.join(''));
}

function sha256(bytes: Buffer) {
  return createHash('sha256').update(bytes).digest('hex');
}
