import { describe, expect, it } from '@jest/globals';
import { consistencyProof, inclusionProof } from '../tiles/proofs.js';
import { leafAt, MemoryLog } from '../testing/memory-log.js';
import { verifyConsistency, verifyInclusion } from './proof-verification.js';
import { EMPTY_ROOT, leafHash, treeHash } from './tree-hash.js';

const SIZE_MAX = 40;
const hashes = Array.from({ length: SIZE_MAX }, (_, index) => leafHash(leafAt(index)));
/** The head of each size, computed from the definition and not from tiles. */
const heads = Array.from({ length: SIZE_MAX + 1 }, (_, size) => ({
  size,
  root: treeHash(hashes.slice(0, size)),
}));
const headOf = (size: number) => heads[size] ?? { size, root: EMPTY_ROOT };
const hashOf = (index: number) => hashes[index] ?? EMPTY_ROOT;

/** A log with a checkpoint, and so with partial tiles, at each size. */
async function grownLog(): Promise<MemoryLog> {
  const log = new MemoryLog();
  while (log.size < SIZE_MAX) await log.append([leafAt(log.size)]);
  return log;
}

/** Every proof that differs in one place. */
function changed(proof: readonly Buffer[]): Buffer[][] {
  const other = Buffer.alloc(32, 7);
  return [
    [...proof, other],
    [other, ...proof],
    ...proof.map((_, place) => proof.filter((__, index) => index !== place)),
    ...proof.map((_, place) => proof.with(place, other)),
  ];
}

describe('An inclusion proof', () => {
  it('AUD-14: shows the leaf at its index and no other, for every leaf of trees up to 40', async () => {
    const { read } = await grownLog();
    for (const head of heads) {
      for (let index = 0; index < head.size; index += 1) {
        const proof = await inclusionProof(head.size, index, read);
        expect(verifyInclusion(head, index, hashOf(index), proof)).toBe(true);
        expect(verifyInclusion(head, index, hashOf((index + 1) % SIZE_MAX), proof)).toBe(false);
        expect(verifyInclusion(head, index + 1, hashOf(index), proof)).toBe(false);
        for (const broken of changed(proof))
          expect(verifyInclusion(head, index, hashOf(index), broken)).toBe(false);
      }
    }
  });

  it('AUD-14: is refused at an index that is no place of the tree', () => {
    for (const index of [-1, 1, 0.5, Number.NaN])
      expect(verifyInclusion(headOf(1), index, hashOf(0), [])).toBe(false);
    expect(verifyInclusion(headOf(0), 0, hashOf(0), [])).toBe(false);
  });
});

describe('A consistency proof', () => {
  it('AUD-14: shows that a tree is the beginning of another one, for all sizes up to 40', async () => {
    const { read } = await grownLog();
    for (const to of heads) {
      for (const from of heads.slice(0, to.size + 1)) {
        const proof = await consistencyProof(from.size, to.size, read);
        expect(verifyConsistency(from, to, proof)).toBe(true);
        const fork = { size: from.size, root: Buffer.alloc(32, 9) };
        expect(verifyConsistency(fork, to, proof)).toBe(from.size === 0 && to.size > 0);
        if (from.size === 0) continue;
        for (const broken of changed(proof)) expect(verifyConsistency(from, to, broken)).toBe(false);
      }
    }
  });

  it('AUD-14: does not lead back to a smaller tree', () => {
    expect(verifyConsistency(headOf(3), headOf(2), [])).toBe(false);
    expect(verifyConsistency(headOf(0), headOf(2), [hashOf(0)])).toBe(false);
    const { root } = headOf(1);
    expect(verifyConsistency({ size: 2, root }, { size: 1, root }, [])).toBe(false);
  });

  it('AUD-14: is refused for sizes that are no counts', () => {
    const { root } = headOf(1);
    for (const size of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(verifyConsistency({ size, root }, { size, root }, [])).toBe(false);
      expect(verifyConsistency({ size, root }, headOf(1), [])).toBe(false);
      expect(verifyConsistency(headOf(1), { size, root }, [])).toBe(false);
    }
  });
});
