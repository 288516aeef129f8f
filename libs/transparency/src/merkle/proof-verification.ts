import { nodeHash } from './tree-hash.js';

/** A size and the root of the tree of that size. */
export interface TreeHead {
  /** The number of leaves. */
  readonly size: number;
  /** 32 bytes. */
  readonly root: Buffer;
}

/** Whether the proof shows that the leaf with this hash is at `index` of the tree (RFC 9162, section 2.1.3.2). */
export function verifyInclusion(
  { size, root }: TreeHead,
  index: number,
  hash: Buffer,
  proof: readonly Buffer[],
): boolean {
  if (!isCount(size) || !isCount(index) || index >= size) return false;
  const path = new PathToRoot(index, size - 1);
  let computed = hash;
  for (const sibling of proof) {
    if (path.isAtRoot) return false;
    computed = path.isRightChild ? nodeHash(sibling, computed) : nodeHash(computed, sibling);
    path.ascend();
  }
  return path.isAtRoot && computed.equals(root);
}

/**
 * Whether the proof shows that the leaves of the tree `from` are the first leaves of the tree `to` (RFC 9162, section
 * 2.1.4.2). The empty tree is the beginning of every tree, with an empty proof.
 */
export function verifyConsistency(from: TreeHead, to: TreeHead, proof: readonly Buffer[]): boolean {
  if (!isCount(from.size) || !isCount(to.size) || from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && from.root.equals(to.root);
  if (from.size === 0) return proof.length === 0;
  // The proof leaves out the root of `from` where that is a whole subtree of `to`.
  const [start, ...siblings] = isPowerOfTwo(from.size) ? [from.root, ...proof] : proof;
  const path = new PathToRoot(from.size - 1, to.size - 1);
  path.skipRightChildren();
  let [old, current] = [start, start];
  for (const sibling of siblings) {
    if (!old || !current || path.isAtRoot) return false;
    if (path.isRightChild) [old, current] = [nodeHash(sibling, old), nodeHash(sibling, current)];
    else current = nodeHash(current, sibling);
    path.ascend();
  }
  return path.isAtRoot && !!old?.equals(from.root) && !!current?.equals(to.root);
}

/** The way from a leaf to the root. Positions may exceed 32 bits, so that it divides instead of shifting. */
class PathToRoot {
  #node: number;
  #last: number;

  constructor(leaf: number, lastLeaf: number) {
    this.#node = leaf;
    this.#last = lastLeaf;
  }

  get isAtRoot(): boolean {
    return this.#last === 0;
  }

  /** Whether the next sibling is on the left. The last node of a level may have its sibling several levels above. */
  get isRightChild(): boolean {
    return this.#node % 2 === 1 || this.#node === this.#last;
  }

  ascend(): void {
    while (this.#node % 2 === 0 && this.#node === this.#last && this.#node !== 0) this.#halve();
    this.#halve();
  }

  skipRightChildren(): void {
    while (this.#node % 2 === 1) this.#halve();
  }

  #halve(): void {
    this.#node = Math.floor(this.#node / 2);
    this.#last = Math.floor(this.#last / 2);
  }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isPowerOfTwo(value: number): boolean {
  return 2 ** Math.round(Math.log2(value)) === value;
}
