import type { ChunkRow } from '@vaultsvc/crypto/container';

/** What the keys of a version's objects begin with: what it has left is found by it. */
export function objectPrefixOf(versionId: string): string {
  return `v1/${versionId}/`;
}

/** Where an attempt at a chunk is stored: no two attempts share a salt, so none overwrites another. */
export function objectKeyOf(versionId: string, { chunk, salt }: Pick<ChunkRow, 'chunk' | 'salt'>): string {
  return `${objectPrefixOf(versionId)}${chunk}-${salt.toString('hex', 0, 8)}`;
}
