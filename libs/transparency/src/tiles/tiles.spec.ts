import { describe, expect, it } from '@jest/globals';
import { verifyConsistency, verifyInclusion } from '../merkle/proof-verification.js';
import { leafHash, treeHash } from '../merkle/tree-hash.js';
import { leafAt, logOf, MemoryLog } from '../testing/memory-log.js';
import { appendLeaves } from './append-leaves.js';
import { decodeEntries, encodeEntries } from './entry-bundle.js';
import { InvalidTile, MissingTile } from './errors.js';
import { consistencyProof, inclusionProof } from './proofs.js';
import { readEntries } from './read-entries.js';
import { TileHashes } from './tile-hashes.js';
import { parseTilePath, tilePath } from './tile-path.js';

describe('The path of a tile (C2SP tlog-tiles)', () => {
  it.each([
    [{ level: 0, index: 0, width: 256 }, 'tile/0/000'],
    [{ level: 0, index: 1_234_067, width: 256 }, 'tile/0/x001/x234/067'],
    [{ level: 2, index: 273, width: 112 }, 'tile/2/273.p/112'],
    [{ level: 'entries', index: 1_000, width: 1 }, 'tile/entries/x001/000.p/1'],
  ] as const)('AUD-14: of %j is %s, and is read back', (position, path) => {
    expect(tilePath(position)).toBe(path);
    expect(parseTilePath(path)).toEqual(position);
  });

  it.each([
    '',
    'checkpoint',
    'tile/0/0',
    'tile/0/x000/001',
    'tile/7/000',
    'tile/00/000',
    'tile/0/000.p/0',
    'tile/0/000.p/256',
    'tile/0/000.p/01',
    'tile/0/000/',
    'tile/0/000.p/1\n',
    'tile/0/../000',
    'tile/0/001/000',
    'tile/data/000',
    'tile/0/x999/x999/x999/x999/x999/999',
  ])('AUD-14: is not %j', (path) => {
    expect(parseTilePath(path)).toBeUndefined();
  });
});

describe('An entry bundle', () => {
  it('AUD-14: has each entry after its length as a uint16', () => {
    const leaves = [Buffer.from('ab'), Buffer.alloc(0), Buffer.alloc(65_535, 1)];
    const bundle = encodeEntries(leaves);
    expect(bundle.subarray(0, 6).toString('hex')).toBe('000261620000');
    expect(decodeEntries(bundle, 3)).toEqual(leaves);
    for (const [broken, problem] of [
      [bundle.subarray(0, -1), 'an entry bundle ends within an entry'],
      [bundle.subarray(0, 5), 'an entry bundle ends within a length'],
      [bundle.subarray(0, 4), 'an entry bundle does not have 3 entries'],
      [Buffer.concat([bundle, bundle]), 'an entry bundle does not have 3 entries'],
    ] as const)
      expect(() => decodeEntries(broken, 3)).toThrow(new InvalidTile(problem));
    expect(() => encodeEntries([Buffer.alloc(65_536)])).toThrow(RangeError);
  });
});

describe('A tiled log', () => {
  it('AUD-14: of 70,000 leaves has the tiles that the specification lists', async () => {
    const { files } = await logOf(70_000);
    const at = (level: string) => [...files.keys()].filter((path) => path.startsWith(`tile/${level}/`));
    expect([at('0').length, at('0').at(-1)]).toEqual([274, 'tile/0/273.p/112']);
    expect(at('1')).toEqual(['tile/1/000', 'tile/1/001.p/17']);
    expect(at('2')).toEqual(['tile/2/000.p/1']);
    expect([at('entries').length, at('3').length]).toEqual([274, 0]);
    const [full, partial] = [files.get('tile/0/000'), files.get('tile/0/273.p/112')];
    expect([full?.length, partial?.length]).toEqual([8_192, 112 * 32]);
  });

  it('AUD-14: is the same whether its leaves arrive at once or in steps', async () => {
    const size = 1_000;
    const whole = await logOf(size);
    expect(whole.root).toEqual(treeHash(Array.from({ length: size }, (_, index) => leafHash(leafAt(index)))));
    const grown = new MemoryLog();
    for (const [from, to] of [
      [0, 1],
      [1, 255],
      [255, 256],
      [256, 256],
      [256, 257],
      [257, 800],
      [800, size],
    ] as const)
      await grown.append(Array.from({ length: to - from }, (_, place) => leafAt(from + place)));
    expect(grown.root).toEqual(whole.root);
    for (const [path, bytes] of whole.files) expect(grown.files.get(path)).toEqual(bytes);
  });

  it.each([1, 255, 256, 257, 1_000, 70_000])('AUD-14: of %i leaves proves them all', async (size) => {
    const log = await logOf(size);
    const step = Math.ceil(size / 50);
    for (let index = 0; index < size; index += step) {
      const proof = await inclusionProof(size, index, log.read);
      expect(verifyInclusion(log, index, leafHash(leafAt(index)), proof)).toBe(true);
      const from = { size: index + 1, root: await new TileHashes(size, log.read).range(0, index + 1) };
      expect(verifyConsistency(from, log, await consistencyProof(from.size, size, log.read))).toBe(true);
    }
    expect((await readEntries(size, Math.floor((size - 1) / 256), log.read)).at(-1)).toEqual(
      leafAt(size - 1),
    );
  });

  it('AUD-14: is read from full tiles where the partial ones were deleted', async () => {
    const small = await logOf(300);
    const log = await logOf(300);
    await log.append(Array.from({ length: 300 }, (_, place) => leafAt(300 + place)));
    for (const path of ['tile/0/001.p/44', 'tile/entries/001.p/44'])
      expect(log.files.delete(path)).toBe(true);
    expect(await new TileHashes(300, log.read).root()).toEqual(small.root);
    expect(await readEntries(300, 1, log.read)).toHaveLength(44);
  });

  it('AUD-14: is read once for as many hashes as are asked for', async () => {
    const log = await logOf(600);
    const read: string[] = [];
    const hashes = new TileHashes(600, (path) => (read.push(path), log.read(path)));
    expect(await hashes.root()).toEqual(log.root);
    expect(await hashes.range(0, 256)).toEqual(await hashes.range(0, 256));
    await hashes.range(0, 4);
    await hashes.range(4, 8);
    expect(read).toEqual([...new Set(read)]);
    expect(await new TileHashes(0, log.read).root()).toEqual(treeHash([]));
  });

  it('AUD-14: names the tile that is missing or has a wrong length', async () => {
    const log = await logOf(600);
    log.files.set('tile/0/000', Buffer.alloc(8_191));
    await expect(inclusionProof(600, 0, log.read)).rejects.toThrow(
      new InvalidTile('tile/0/000 has 8191 bytes, not 8192'),
    );
    log.files.delete('tile/0/000');
    await expect(inclusionProof(600, 0, log.read)).rejects.toThrow(new MissingTile('tile/0/000'));
    log.files.delete('tile/0/002.p/88');
    await expect(appendLeaves(600, [leafAt(0)], log.read)).rejects.toThrow(MissingTile);
  });

  it('AUD-14: has proofs for its own leaves and earlier sizes only', async () => {
    const { read } = await logOf(3);
    await expect(inclusionProof(3, 3, read)).rejects.toThrow(RangeError);
    await expect(consistencyProof(4, 3, read)).rejects.toThrow(RangeError);
  });
});
