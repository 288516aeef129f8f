import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { HashList, type HashRun } from './hash-list.js';

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const random = (bytes: number, count: number) =>
  Array.from({ length: count }, () => randomBytes(bytes)).sort((a, b) => a.compare(b));
const runOf = (entries: readonly Buffer[]): HashRun => ({
  prefixBytes: entries[0]?.length ?? 4,
  sorted: Buffer.concat(entries),
});
const ordered = (entries: readonly Buffer[]) => [...entries].sort((a, b) => a.compare(b));
const hex = (...entries: string[]) => runOf(entries.map((entry) => Buffer.from(entry, 'hex')));

describe('OPEN-26: HashList', () => {
  it('has the expected entries and checksum after random changes', async () => {
    let entries: Buffer[] = [];
    let list = HashList.empty;
    for (let round = 0; round < 20; round += 1) {
      const removals = entries.flatMap((_, index) => (Math.random() < 0.3 ? [index] : []));
      const added = [random(4, 400), random(5, 40), random(32, 9)];
      list = await list.with({ removals, additions: added.map(runOf) });
      entries = ordered([...entries.filter((_, index) => !removals.includes(index)), ...added.flat()]);
      expect(list.checksum).toEqual(sha256(Buffer.concat(entries)));
    }
    for (const entry of entries) {
      const hash = Buffer.concat([entry, randomBytes(32 - entry.length)]);
      expect(list.prefixesOf(hash)).toContainEqual(entry);
    }
    const absent = Array.from({ length: 1_000 }, () => randomBytes(32));
    const matched = absent.filter((hash) => list.prefixesOf(hash).length > 0);
    expect(
      matched.every((hash) => entries.some((entry) => hash.subarray(0, entry.length).equals(entry))),
    ).toBe(true);
  });

  it('accepts an entry that is removed and added again, and a prefix of another entry', async () => {
    const first = await HashList.empty.with({
      removals: [],
      additions: [hex('aabbccdd'), hex('aabbccddee')],
    });
    expect(first.checksum).toEqual(sha256(Buffer.from('aabbccddaabbccddee', 'hex')));
    const again = await first.with({ removals: [0], additions: [hex('aabbccdd')] });
    expect(again.checksum).toEqual(first.checksum);
    const hash = Buffer.concat([Buffer.from('aabbccddee', 'hex'), Buffer.alloc(27)]);
    expect(again.prefixesOf(hash).map((prefix) => prefix.length)).toEqual([4, 5]);
  });

  it.each([
    ['entries out of order', { removals: [], additions: [hex('bbbbbbbb', 'aaaaaaaa')] }],
    ['a duplicate addition', { removals: [], additions: [hex('bbbbbbbb', 'bbbbbbbb')] }],
    ['an addition that exists already', { removals: [], additions: [hex('00000001')] }],
    ['the removal of an entry that does not exist', { removals: [7], additions: [] }],
    [
      'too many entries',
      { removals: [], additions: [{ prefixBytes: 4, sorted: Buffer.alloc(49 * 1024 * 1024) }] },
    ],
  ])('rejects %s', async (_, changes) => {
    const list = await HashList.empty.with({ removals: [], additions: [hex('00000001')] });
    await expect(list.with(changes)).rejects.toThrow();
  });

  it('yields to the event loop while it changes hundreds of thousands of entries', async () => {
    const entries = ordered(
      [...new Set(random(4, 200_000).map((entry) => entry.toString('hex')))].map((entry) =>
        Buffer.from(entry, 'hex'),
      ),
    );
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const list = await HashList.empty.with({ removals: [], additions: [runOf(entries)] });
    clearInterval(timer);
    expect(list.checksum).toEqual(sha256(Buffer.concat(entries)));
    expect(turns).toBeGreaterThan(1);
  });
});
