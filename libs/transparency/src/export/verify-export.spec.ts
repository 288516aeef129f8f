import { describe, expect, it } from '@jest/globals';
import { NoteSigner } from '../note/note-signer.js';
import { signCheckpoint } from '../note/checkpoint.js';
import {
  AccountHistory,
  bytesOf,
  chained,
  FIRST_HOUR,
  iterate,
  ORIGIN,
  signer,
} from '../testing/account-history.js';
import { entryLine, type ChainEntry } from './export-lines.js';
import { ExportProblem } from './problem.js';
import { verifyExport } from './verify-export.js';
import type { VerificationOptions } from './verify-log.js';

const hours = [
  { entries: 3, others: 2 },
  { entries: 0, others: 1 },
  { entries: 2, others: 0 },
  { entries: 4, others: 300 },
];
const history = await AccountHistory.of(hours);
const lines = await history.export();
/** Of the same size, with other entries. */
const second = new AccountHistory('second');
for (const hour of hours) await second.addHour(hour);
const keys = [signer.key];
const { read } = history.log;
const pinnedAt = (hour: number) => history.checkpoints[hour]?.note ?? '';

const verify = (exported: readonly string[], options: VerificationOptions = { keys }) =>
  verifyExport(iterate(exported), options);
/** The problem of an export, as kind and number. */
async function problemOf(exported: readonly string[], options?: VerificationOptions) {
  try {
    await verify(exported, options);
    return undefined;
  } catch (error) {
    if (error instanceof ExportProblem) return { kind: error.kind, seq: error.seq };
    throw error;
  }
}
const edited = (from: string, to: string) => lines.map((line) => line.replace(from, to));

describe('An intact export', () => {
  it('AUD-14: is verified up to its last head', async () => {
    const report = await verify(lines);
    expect(report).toMatchObject({
      entries: 9,
      erased: 0,
      heads: 3,
      lastHead: { seq: 9, hour: FIRST_HOUR + 3 },
    });
    expect(report.log).toMatchObject({ checkpoint: { size: history.log.size }, comparison: undefined });
    expect(report.log.heads).toBeUndefined();
  });

  it('AUD-14: is verified with the keys that it names, when none is given', async () => {
    expect(await verify(lines, {})).toMatchObject({ entries: 9 });
    expect(await problemOf(lines, { keys: [] })).toEqual({ kind: 'bad-signature' });
  });

  it('AUD-14: is compared with a pinned checkpoint by its own proof', async () => {
    const fromSize = history.checkpoints[1]?.size ?? 0;
    const exported = await history.export({ fromSize });
    const { log } = await verify(exported, { keys, pinned: pinnedAt(1) });
    expect(log).toMatchObject({ comparison: 'proof', pinned: { size: fromSize } });
  });

  it('AUD-14: is compared with an older, an equal and a newer checkpoint by tiles', async () => {
    const older = await AccountHistory.of(hours.slice(0, 2));
    const comparisonOf = async (exported: string[], hour: number) =>
      (await verify(exported, { keys, pinned: pinnedAt(hour), read })).log.comparison;
    expect(await comparisonOf(lines, 0)).toBe('tiles');
    expect(await comparisonOf(lines, 3)).toBe('same');
    expect(await comparisonOf(await older.export({ toMs: 3_600_000 * (FIRST_HOUR + 2) }), 3)).toBe('tiles');
  });

  it('AUD-14: is left undecided without a proof of this size and without the tiles', async () => {
    const comparisonOf = async (options: VerificationOptions) =>
      (await verify(lines, options)).log.comparison;
    expect(await comparisonOf({ keys, pinned: pinnedAt(0) })).toBe('undecided');
    const none = async () => undefined;
    expect(await comparisonOf({ keys, pinned: pinnedAt(0), read: none })).toBe('undecided');
  });

  it('AUD-14: is complete when all heads in the tiles were compared', async () => {
    const { log } = await verify(lines, { keys, read });
    expect([...(log.heads?.keys() ?? [])]).toEqual([3, 5, 9]);
  });

  it('AUD-14: shows how long after their time the entries were published', async () => {
    expect(await verify(lines)).toMatchObject({ longestDelayMs: 3_600_000 });
    const backdated = lines.filter((line) => !line.includes(`"hour":${FIRST_HOUR}}`));
    expect(await verify(backdated)).toMatchObject({ heads: 2, longestDelayMs: 3 * 3_600_000 });
    expect(await verify(backdated, { keys, read })).toMatchObject({ longestDelayMs: 3_600_000 });
  });

  it('AUD-13 AUD-14: verifies after bodies were erased with their salts', async () => {
    const erasing = await AccountHistory.of(hours);
    for (const place of [0, 4, 8]) {
      const entry = erasing.entries[place];
      if (entry) erasing.entries[place] = { ...entry, content: undefined };
    }
    const exported = await erasing.export();
    expect(await verify(exported, { keys, read })).toMatchObject({ entries: 9, erased: 3 });
    expect(exported[2]).not.toMatch(/salt|event-1|actor/);
  });

  it('AUD-15: of a range begins after its first entry', async () => {
    const exported = await history.export({ firstSeq: 4, lastSeq: 6, fromMs: 1, toMs: 2 });
    expect(exported.map((line) => line.slice(0, 16))).toMatchObject([
      '{"kind":"header"',
      '{"kind":"checkpo',
      '{"kind":"head","',
      '{"kind":"entry",',
      '{"kind":"entry",',
      '{"kind":"head","',
      '{"kind":"entry",',
    ]);
    expect(await verify(exported)).toMatchObject({ entries: 3, heads: 2, lastHead: { seq: 5 } });
    const other = exported.map((line) =>
      line.replace(String(history.entries[2]?.hash.toString('hex')), '0'.repeat(64)),
    );
    expect(await problemOf(other)).toMatchObject({ kind: 'bad-proof' });
  });

  it('AUD-15: without entries, or of a log without a checkpoint, is verified as far as it goes', async () => {
    const empty = { firstSeq: null, lastSeq: null };
    expect(await verify(await history.export({ ...empty, fromMs: 1 }), { keys, read })).toMatchObject({
      entries: 0,
    });
    expect(await problemOf(await history.export(empty), { keys, read })).toEqual({
      kind: 'cut-tail',
      seq: 1,
    });
    const unpublished = lines.filter((line) => !/^\{"kind":"(checkpoint|head)"/.test(line));
    const report = await verify(unpublished, { keys, pinned: pinnedAt(0), read });
    expect(report).toMatchObject({ entries: 9, heads: 0, log: { comparison: 'undecided' } });
  });
});

describe('The checkpoint of an export', () => {
  it('AUD-14: may be signed by a new key that the old one has introduced', async () => {
    const next = new NoteSigner(ORIGIN, bytesOf('next key'));
    const note = signCheckpoint({ origin: ORIGIN, ...history.log }, [next, signer]);
    const rollover = lines.map((line) =>
      line.startsWith('{"kind":"checkpoint"') ? JSON.stringify({ kind: 'checkpoint', note }) : line,
    );
    expect(await verify(rollover)).toMatchObject({ log: { checkpoint: { signedBy: [signer.key] } } });
    expect(await verify(rollover, { keys: [next.key] })).toMatchObject({ entries: 9 });
    expect(await problemOf(lines, { keys: [next.key] })).toEqual({ kind: 'bad-signature' });
  });

  it('AUD-14: is refused with a wrong signature, and so is a pinned one', async () => {
    expect(await problemOf(edited(`\\n${history.log.size}\\n`, `\\n${history.log.size + 1}\\n`))).toEqual({
      kind: 'bad-signature',
    });
    const pinned = pinnedAt(0).replace('\n3\n', '\n4\n');
    expect(await problemOf(lines, { keys, pinned })).toEqual({ kind: 'bad-signature' });
  });

  it('AUD-14: is not compared by the tiles of another log', async () => {
    const other = await AccountHistory.of([{ entries: 1, others: 400 }]);
    const options = { keys, pinned: pinnedAt(0), read: other.log.read };
    expect(await problemOf(lines, { ...options, read: brokenTiles })).toEqual({ kind: 'bad-tiles' });
    expect((await verify(lines, options)).log.comparison).toBe('undecided'); // it has no tiles of this size
  });
});

/** The tiles of the log with one wrong hash. */
async function brokenTiles(path: string): Promise<Uint8Array | undefined> {
  const bytes = await read(path);
  if (!bytes) return undefined;
  const broken = Buffer.from(bytes);
  broken[40] = (broken[40] ?? 0) ^ 1;
  return broken;
}

describe('A line of an export', () => {
  it.each([
    ['no JSON', '{"kind":"entry"'],
    ['JSON with a space', '{"kind": "entry"}'],
    ['a duplicate name', '{"kind":"entry","seq":1,"seq":2}'],
    ['an unknown kind', '{"kind":"note"}'],
    ['no object', '[]'],
    ['a second header', lines[0] ?? ''],
    ['a late checkpoint', lines[1] ?? ''],
    ['a head with an unknown name', (lines[5] ?? '').replace('{"kind":"head"', '{"kind":"head","x":1')],
    ['a leaf with an unknown name', (lines[5] ?? '').replace('"leaf":{', '"leaf":{"x":1,')],
    ['an erased entry with a body', (lines[2] ?? '').replace('"actor_type"', '"erased":true,"actor_type"')],
    ['an entry without a hash', (lines[2] ?? '').replace('"hash":', '"hush":')],
    [
      'an entry with an upper-case hash',
      (lines[2] ?? '').replace(/"hash":"[^"]+"/, `"hash":"${'A'.repeat(64)}"`),
    ],
    ['an entry with a fraction', (lines[2] ?? '').replace('"seq":1', '"seq":1.5')],
    ['a proof in invalid base64', (lines[5] ?? '').replace(/"proof":\["./, '"proof":["-')],
  ])('AUD-14: that is %s is malformed', async (_, line) => {
    expect(await problemOf([...lines.slice(0, 2), line, ...lines.slice(2)])).toEqual({ kind: 'malformed' });
  });
});

describe('An export', () => {
  it.each([
    ['no header', lines.slice(1)],
    ['no lines', []],
    ['another version', edited('"version":1,"account"', '"version":2,"account"')],
    ['an unknown name in its header', edited('"version":1,"account"', '"version":1,"x":1,"account"')],
    ['half a range of numbers', edited('"first_seq":1', '"first_seq":null')],
    ['a malformed key', edited('+', '-')],
    [
      'entries that its header denies',
      edited('"first_seq":1,"last_seq":9', '"first_seq":null,"last_seq":null'),
    ],
    ['a head and no checkpoint', lines.toSpliced(1, 1)],
    ['a head after a later entry', lines.toSpliced(5, 1).toSpliced(6, 0, lines[5] ?? '')],
  ])('AUD-14: with %s is malformed', async (_, broken) => {
    expect(await problemOf(broken, {})).toEqual({ kind: 'malformed' });
  });
});

/** The line of an entry of the history. */
const lineOf = (seq: number) => lines.findIndex((line) => line.startsWith(`{"kind":"entry","seq":${seq},`));
const entryAt = (seq: number) => history.entries[seq - 1] as ChainEntry;
const withEntry = (seq: number, entry: ChainEntry) => lines.with(lineOf(seq), entryLine(entry));

describe('The end of an export', () => {
  it('AUD-14: shows that its last entry was edited, or replaced the one before', async () => {
    expect(await problemOf(withEntry(9, { ...entryAt(9), type: 'spark_read' }))).toEqual({
      kind: 'edited',
      seq: 9,
    });
    expect(await problemOf(withEntry(9, chained(bytesOf('other'), entryAt(9))))).toEqual({
      kind: 'edited',
      seq: 8,
    });
  });

  it('AUD-14: shows that an entry in its place has the number of another', async () => {
    expect(await problemOf(withEntry(4, { ...entryAt(4), seq: 7 }))).toEqual({ kind: 'edited', seq: 4 });
  });

  it('AUD-14: names a missing entry before a head behind it that is not in the log', async () => {
    const broken = lines.map((line) => line.replace(`"hour":${FIRST_HOUR + 2}`, `"hour":${FIRST_HOUR + 1}`));
    expect(await problemOf(broken)).toEqual({ kind: 'bad-proof', seq: 5 });
    expect(await problemOf(broken.toSpliced(lineOf(4), 1))).toEqual({ kind: 'removed', seq: 4 });
  });

  it('AUD-15: shows that a range continues other entries than those of the log', async () => {
    const range = await history.export({ firstSeq: 4, lastSeq: 5, fromMs: 1, toMs: 2 });
    const fourth = chained(bytesOf('other'), entryAt(4));
    const forged = [...range.slice(0, 3), entryLine(fourth), entryLine(chained(fourth.hash, entryAt(5)))];
    await expect(verify(forged)).rejects.toThrow(/^entries were replaced between 3 and 3: the log of /);
  });

  it('AUD-15: of a log without a checkpoint has the header and the entries', async () => {
    expect(await new AccountHistory().export()).toHaveLength(1);
  });
});

describe('AUD-14: The problem of an export is a sentence:', () => {
  const { size } = history.log;
  const pinned = second.checkpoints.at(-1)?.note;
  const tiles = second.log.read;

  it.each<[string, readonly string[], VerificationOptions?]>([
    ['the first line is not the header of an export', lines.slice(1)],
    ['the header line is not in its place', [...lines, lines[0] ?? '']],
    ['the checkpoint line is not in its place', [...lines, lines[1] ?? '']],
    ['line 3: the line is not JSON', lines.with(2, 'x')],
    ['the header has a malformed key: ', edited('+', '-'), {}],
    ['the checkpoint of the export is not valid: ', edited(`\\n${size}\\n`, `\\n${size + 1}\\n`)],
    ['the pinned checkpoint is not valid: ', lines, { keys, pinned: pinnedAt(0).replace('\n3\n', '\n4\n') }],
    [
      'the export has an entry, and its header says that it has none',
      edited('"first_seq":1,"last_seq":9', '"first_seq":null,"last_seq":null'),
    ],
    ['the export has a head and no checkpoint', lines.toSpliced(1, 1)],
    ['the head of entry 3 is not in the log', edited(`"hour":${FIRST_HOUR}}`, `"hour":${FIRST_HOUR + 1}}`)],
    ['the head of entry 3 is not in its place', lines.toSpliced(5, 1).toSpliced(6, 0, lines[5] ?? '')],
    ['entries follow the last one of the header, 8', edited('"last_seq":9', '"last_seq":8')],
    ['the export ends after entry 9, and there was entry 10', edited('"last_seq":9', '"last_seq":10')],
    ['entry 1 is missing in an export from the beginning', edited('"first_seq":1', '"first_seq":2')],
    ['entry 4 is missing', lines.toSpliced(lineOf(4), 1)],
    ['there is a second entry with the number 4', lines.toSpliced(lineOf(4), 0, lines[lineOf(4)] ?? '')],
    [
      'entry 4 stands at a later place',
      lines.toSpliced(lineOf(4), 1).toSpliced(lineOf(5), 0, lines[lineOf(4)] ?? ''),
    ],
    ['entry 4 is not the one that its hash was made of', withEntry(4, { ...entryAt(4), type: 'spark_read' })],
    ['entry 8 is not the one that entry 9 continues', withEntry(9, chained(bytesOf('other'), entryAt(9)))],
    [
      `the log of the export (size ${size}) and the pinned checkpoint (size ${size}) are two histories: neither continues the other`,
      lines,
      { keys, pinned },
    ],
    [
      `the tiles are not those of the checkpoint of size ${size}`,
      lines,
      { keys, pinned: pinnedAt(0), read: tiles },
    ],
    [
      `the entries in the tiles are not those of the checkpoint of size ${size}`,
      lines,
      { keys, read: tiles },
    ],
  ])('%s', async (sentence, exported, options = { keys }) => {
    const error = await verify(exported, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ExportProblem);
    expect((error as ExportProblem).message.startsWith(sentence)).toBe(true);
  });
});
