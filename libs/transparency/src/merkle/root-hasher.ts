import { EMPTY_ROOT, nodeHash } from './tree-hash.js';

/** Computes the root of a tree from the hashes of its leaves, in their order, with memory for one hash per level. */
export class RootHasher {
  /** The roots of the full subtrees, from the left; index and height are those of the set bits of the size. */
  readonly #peaks: { readonly leaves: number; readonly hash: Buffer }[] = [];

  add(leaf: Buffer): void {
    let peak = { leaves: 1, hash: leaf };
    while (this.#peaks.at(-1)?.leaves === peak.leaves) {
      const left = this.#peaks.pop();
      if (left) peak = { leaves: peak.leaves * 2, hash: nodeHash(left.hash, peak.hash) };
    }
    this.#peaks.push(peak);
  }

  /** The root over the leaves so far. */
  root(): Buffer {
    const hashes = this.#peaks.map(({ hash }) => hash);
    return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));
  }
}
