import type { ChunkRow } from '@vaultsvc/crypto/container';

/** The prefix of the keys of a version's objects. */
export function objectPrefixOf(versionId: string): string {
  return `v1/${versionId}/`;
}

/** The key of an attempt to store a chunk. Each attempt has its own salt, so none overwrites another. */
export function objectKeyOf(versionId: string, { chunk, salt }: Pick<ChunkRow, 'chunk' | 'salt'>): string {
  return `${objectPrefixOf(versionId)}${chunk}-${salt.toString('hex', 0, 8)}`;
}
