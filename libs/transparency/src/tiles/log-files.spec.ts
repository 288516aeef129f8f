import { describe, expect, it } from '@jest/globals';
import { logFiles } from './log-files.js';

const pathsOf = (size: number) => [...logFiles(size)].map(({ path }) => path);

describe('The files of a log (C2SP tlog-tiles)', () => {
  it.each([
    [0, []],
    [1, ['tile/entries/000.p/1', 'tile/0/000.p/1']],
    [255, ['tile/entries/000.p/255', 'tile/0/000.p/255']],
    [256, ['tile/entries/000', 'tile/0/000', 'tile/1/000.p/1']],
    [257, ['tile/entries/000', 'tile/entries/001.p/1', 'tile/0/000', 'tile/0/001.p/1', 'tile/1/000.p/1']],
  ])('AUD-14: of %i leaves are %j', (size, paths) => {
    expect(pathsOf(size)).toEqual(paths);
  });

  it('AUD-14: of 70,000 leaves are those that the specification lists, with their places', () => {
    const files = [...logFiles(70_000)];
    expect(files).toHaveLength(274 + 274 + 2 + 1);
    expect(files[0]).toEqual({ level: 'entries', index: 0, width: 256, path: 'tile/entries/000' });
    expect(files[273]).toEqual({
      level: 'entries',
      index: 273,
      width: 112,
      path: 'tile/entries/273.p/112',
    });
    expect(files.slice(-4).map(({ path }) => path)).toEqual([
      'tile/0/273.p/112',
      'tile/1/000',
      'tile/1/001.p/17',
      'tile/2/000.p/1',
    ]);
  });
});
