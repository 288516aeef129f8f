import { describe, expect, it } from '@jest/globals';
import { RootHasher } from './root-hasher.js';
import { EMPTY_ROOT, leafHash, treeHash } from './tree-hash.js';

/** The leaves and roots of the test vectors of Certificate Transparency, from trees of 1 to 8 leaves. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

describe('the root of a tree (RFC 6962)', () => {
  it.each(ROOTS.map((root, index) => [index + 1, root] as const))(
    'AUD-14: of %i leaves is the known one',
    (count, root) => {
      const hashes = LEAVES.slice(0, count).map((leaf) => leafHash(Buffer.from(leaf, 'hex')));
      expect(treeHash(hashes).toString('hex')).toBe(root);
    },
  );

  it('AUD-14: without leaves is the hash of the empty string', () => {
    expect(treeHash([])).toBe(EMPTY_ROOT);
    expect(EMPTY_ROOT.toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
  });
});

describe('The root of leaves that come one after the other', () => {
  it('AUD-14: is that of the definition, for trees of up to 40 leaves', () => {
    const leaves = Array.from({ length: 40 }, (_, index) => leafHash(Buffer.of(index)));
    const hasher = new RootHasher();
    expect(hasher.root().toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    );
    leaves.forEach((leaf, index) => {
      hasher.add(leaf);
      expect(hasher.root()).toEqual(treeHash(leaves.slice(0, index + 1)));
    });
  });
});
