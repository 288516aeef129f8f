import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AccountHistory, bytesOf, chained, iterate, signer } from '../testing/account-history.js';
import { entryLine, type ChainEntry } from './export-lines.js';
import { parseLine } from './parse-line.js';
import { ExportProblem } from './problem.js';
import { verifyExport } from './verify-export.js';
import type { VerificationOptions } from './verify-log.js';

/** Tries of each kind of tampering, over as many histories; the seed makes every run the same. Planted faults get fewer, each. */
const TRIES = { numRuns: Number(process.env['TRIES'] ?? 170), seed: 20_261_123 };

const HISTORIES = 12;
const histories: AccountHistory[] = [];
/** Another log of the same key, whose operator has replaced every entry. */
const fork = new AccountHistory('second');
const keys = [signer.key];

/** Histories of 8 hours and 12 to 45 entries; the last hour has entries, so that a head commits to all of them. */
beforeAll(async () => {
  for (let n = 0; n < HISTORIES; n += 1) {
    const hours = Array.from({ length: 8 }, (_, hour) => ({
      entries: hour === 7 ? 3 : (n * 3 + hour * 5) % 7,
      others: (n + hour * 11) % 40,
    }));
    histories.push(await AccountHistory.of(hours));
  }
  for (let n = 0; n < 8; n += 1) await fork.addHour({ entries: 1 + (n % 2), others: 4 + (n % 3) });
});

/** A history, an entry of it in front of which and behind which there are others, and how skilled the attacker is. */
interface Try {
  readonly history: AccountHistory;
  readonly lines: string[];
  /** From 2 to the last but one. */
  readonly seq: number;
  readonly skill: number;
}

const anyTry = fc.record({
  n: fc.nat(HISTORIES - 1),
  place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  skill: fc.nat(2),
});

/** Runs the tries of one kind. `check` gets the lines of an intact export. */
async function attempt(check: (tried: Try) => Promise<void>): Promise<void> {
  const run = async ({ n, place, skill }: { n: number; place: number; skill: number }) => {
    const history = histories[n] as AccountHistory;
    const seq = 2 + Math.floor(place * (history.entries.length - 2));
    await check({ history, lines: await history.export(), seq, skill });
  };
  await fc.assert(fc.asyncProperty(anyTry, run), TRIES);
}

async function problemOf(lines: readonly string[], options: VerificationOptions = { keys }) {
  try {
    await verifyExport(iterate(lines), options);
    return undefined;
  } catch (error) {
    if (error instanceof ExportProblem) return error;
    throw error;
  }
}

/** Changes the entry lines; every other line stays in front of the entry that it was in front of. */
function withEntries(lines: readonly string[], change: (entries: ChainEntry[]) => ChainEntry[]): string[] {
  const entries = change(entriesOf(lines)).map(entryLine);
  const changed = lines.flatMap((line) => (isEntry(line) ? entries.splice(0, 1) : [line]));
  return [...changed, ...entries];
}

function entriesOf(lines: readonly string[]): ChainEntry[] {
  return lines.flatMap((line) => {
    const parsed = parseLine(line);
    return parsed.kind === 'entry' ? [parsed.entry] : [];
  });
}

const isEntry = (line: string) => line.startsWith('{"kind":"entry"');
const isHead = (line: string) => line.startsWith('{"kind":"head"');
const placeOf = (lines: readonly string[], seq: number) =>
  lines.findIndex((line) => line.startsWith(`{"kind":"entry","seq":${seq},`));
const forgedBody = { salt: bytesOf('forged'), body: { event_id: 'forged' } };

describe('A tampered export', () => {
  it('AUD-14: names the edited entry', async () => {
    await attempt(async ({ lines, seq, skill }) => {
      const edit = (entry: ChainEntry): ChainEntry => {
        if (skill === 0) return { ...entry, type: 'spark_read' };
        if (skill === 1) return { ...entry, content: forgedBody };
        return chained(entry.prevHash, { ...entry, content: forgedBody });
      };
      const tampered = withEntries(lines, (entries) =>
        entries.map((entry) => (entry.seq === seq ? edit(entry) : entry)),
      );
      const problem = await problemOf(tampered);
      // With a matching hash of its own it is found by the next entry, or by the head that commits to it.
      const isCommitted = skill === 2 && isHead(lines[placeOf(lines, seq) + 1] ?? '');
      expect(problem?.kind).toBe(isCommitted ? 'rewritten' : 'edited');
      if (isCommitted) expect(problem?.seq).toBeLessThanOrEqual(seq);
      else expect(problem?.seq).toBe(seq);
    });
  });

  it('AUD-14: shows that the chain was rewritten from an edited entry on', async () => {
    await attempt(async ({ lines, seq }) => {
      const tampered = withEntries(lines, (entries) => {
        const kept = entries.slice(0, seq - 1);
        for (const entry of entries.slice(seq - 1)) {
          const content = entry.seq === seq ? forgedBody : entry.content;
          kept.push(chained((kept.at(-1) as ChainEntry).hash, { ...entry, content }));
        }
        return kept;
      });
      const problem = await problemOf(tampered);
      expect(problem?.kind).toBe('rewritten');
      expect(problem?.seq).toBeLessThanOrEqual(seq);
    });
  });

  it('AUD-14: names the removed entry', async () => {
    await attempt(async ({ lines, seq, skill }) => {
      const place = placeOf(lines, seq);
      const without = lines.toSpliced(place, 1);
      // A skilled attacker numbers the entries after it again.
      const renumbered = withEntries(without, (entries) =>
        entries.map((entry) => (entry.seq > seq ? { ...entry, seq: entry.seq - 1 } : entry)),
      );
      expect(await problemOf(skill === 2 ? renumbered : without)).toMatchObject({ kind: 'removed', seq });
    });
  });

  it('AUD-14: names the first reordered entry', async () => {
    await attempt(async ({ history, lines, seq, skill }) => {
      const other = seq + 1 + ((seq * 7) % (history.entries.length - seq));
      const tampered = withEntries(lines, (entries) => {
        const [first, second] = [entries[seq - 1], entries[other - 1]] as [ChainEntry, ChainEntry];
        const moved =
          skill === 1
            ? entries.toSpliced(other, 0, first).toSpliced(seq - 1, 1)
            : entries.with(seq - 1, second).with(other - 1, first);
        return skill === 2 ? moved.map((entry, place) => ({ ...entry, seq: place + 1 })) : moved;
      });
      expect(await problemOf(tampered)).toMatchObject({ kind: 'reordered', seq });
    });
  });

  it('AUD-14: names the inserted entry', async () => {
    await attempt(async ({ lines, seq, skill }) => {
      const place = placeOf(lines, seq);
      const [before] = entriesOf([lines[placeOf(lines, seq - 1)] ?? '']) as [ChainEntry];
      const forged = chained(before.hash, { seq, at: before.at, type: 'spark_read', content: forgedBody });
      const line = entryLine(skill === 0 ? { ...forged, hash: bytesOf('wrong') } : forged);
      const inserted = lines.toSpliced(place, 0, line);
      const renumbered = inserted.map((text, index) => {
        if (index <= place || !isEntry(text)) return text;
        const [entry] = entriesOf([text]) as [ChainEntry];
        return entryLine({ ...entry, seq: entry.seq + 1 });
      });
      expect(await problemOf(skill === 2 ? renumbered : inserted)).toMatchObject({ kind: 'inserted', seq });
    });
  });

  it('AUD-14: names the first entry of a cut tail, by its header, by a head, and by the log against a pinned checkpoint', async () => {
    await attempt(async ({ history, lines, seq, skill }) => {
      const cut = lines.slice(0, placeOf(lines, seq));
      const expected = { kind: 'cut-tail', seq };
      if (skill === 0) return expect(await problemOf(cut)).toMatchObject(expected);
      const relabelled = cut.map((line) => line.replace(/"last_seq":\d+/, `"last_seq":${seq - 1}`));
      const heads = lines.slice(placeOf(lines, seq)).filter(isHead);
      if (skill === 1) return expect(await problemOf([...relabelled, ...heads])).toMatchObject(expected);
      // Nothing in the file shows it any more; the report says that the log was not searched.
      expect((await verifyExport(iterate(relabelled), { keys })).log.heads).toBeUndefined();
      const pinned = history.checkpoints.at(-1)?.note;
      const options = { keys, pinned, read: history.log.read };
      return expect(await problemOf(relabelled, options)).toMatchObject(expected);
    });
  });

  it('AUD-14: shows a second history against a pinned checkpoint, by its proof and by tiles', async () => {
    await attempt(async ({ history, seq, skill }) => {
      const hour = 1 + (seq % 7);
      const pinned = history.checkpoints[hour - 1 + (skill % 2)];
      const fromSize = pinned && pinned.size <= fork.log.size ? pinned.size : undefined;
      const lines = await fork.export({ fromSize });
      if (pinned?.size === 0) return; // every log continues an empty one
      const options = { keys, pinned: pinned?.note };
      const isLater = fromSize === undefined;
      expect((await problemOf(lines, isLater ? { ...options, read: history.log.read } : options))?.kind).toBe(
        'second-history',
      );
    });
  });
});
