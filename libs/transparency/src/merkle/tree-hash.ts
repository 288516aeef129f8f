import { sha256 } from '@vaultsvc/crypto/hash';

const LEAF = Buffer.of(0x00);
const NODE = Buffer.of(0x01);

/** The root of a tree without leaves: the hash of the empty string (RFC 6962, section 2.1). */
export const EMPTY_ROOT: Buffer = Buffer.from(
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'hex',
);

/** The hash of a leaf: SHA-256(0x00 || leaf) (RFC 6962, section 2.1). */
export function leafHash(leaf: Uint8Array): Buffer {
  return sha256(Buffer.concat([LEAF, leaf]));
}

/** The hash of an inner node: SHA-256(0x01 || left || right). The prefix makes no node equal to a leaf. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return sha256(Buffer.concat([NODE, left, right]));
}

/** The root of the tree over these hashes of leaves, or of equally high subtrees (RFC 6962, section 2.1). */
export function treeHash(hashes: readonly Buffer[]): Buffer {
  const [first, ...others] = hashes;
  if (!first) return EMPTY_ROOT;
  if (others.length === 0) return first;
  const left = leftLeaves(hashes.length);
  return nodeHash(treeHash(hashes.slice(0, left)), treeHash(hashes.slice(left)));
}

/** The leaves of the left subtree: the largest power of two below `leaves`, which is 2 or more. */
export function leftLeaves(leaves: number): number {
  let left = 1;
  while (left * 2 < leaves) left *= 2;
  return left;
}
