import { createHash } from 'node:crypto';
import {
  accountPseudonym,
  bodyHash,
  encodeHead,
  encodeRestore,
  entryHash,
  FIRST_PREV_HASH,
  NoteSigner,
  signCheckpoint,
  writeExport,
  type ChainEntry,
  type ExportHeader,
  type JsonObject,
  type LoggedHead,
} from '../index.js';
import { MemoryLog } from './memory-log.js';

export const ORIGIN = 'audit.example.com/log';
export const ACCOUNT = 'acc_1';
export const FIRST_HOUR = 498_703;
const HOUR_MS = 3_600_000;

/** 32 bytes that are the same in every run. */
export const bytesOf = (seed: string) => createHash('sha256').update(seed).digest();

export const signer = new NoteSigner(ORIGIN, bytesOf('key'));

/** One hour of a log: the entries of the account, and the heads of other accounts. */
export interface Hour {
  readonly entries: number;
  readonly others: number;
}

/** An account's chain and the log that its hourly heads are in, with a checkpoint for each hour. */
export class AccountHistory {
  readonly log = new MemoryLog();
  readonly entries: ChainEntry[] = [];
  readonly heads: LoggedHead[] = [];
  readonly checkpoints: { readonly note: string; readonly size: number }[] = [];
  readonly salt = bytesOf('account');
  readonly pseudonym = accountPseudonym(this.salt, ACCOUNT);

  /** @param name makes the bodies of this history different from those of others */
  constructor(private readonly name = 'first') {}

  static async of(hours: readonly Hour[]): Promise<AccountHistory> {
    const history = new AccountHistory();
    for (const hour of hours) await history.addHour(hour);
    return history;
  }

  async addHour({ entries, others }: Hour): Promise<void> {
    const hour = FIRST_HOUR + this.checkpoints.length;
    for (let place = 0; place < entries; place += 1) this.entries.push(this.#next(hour * HOUR_MS + place));
    const leaves = Array.from({ length: others }, (_, place) =>
      encodeHead({ pseudonym: hex(bytesOf(`other ${place}`)), seq: 1, head: hex(bytesOf(`${hour}`)), hour }),
    );
    const last = this.entries.at(-1);
    if (entries > 0 && last) {
      const leaf = { pseudonym: this.pseudonym, seq: last.seq, head: hex(last.hash), hour };
      this.heads.push({ leaf, index: this.log.size + others });
      leaves.push(encodeHead(leaf));
    }
    await this.log.append(leaves);
    this.#sign();
  }

  /** Loses all that was recorded after an hour, as a restore of the database does, and begins a new generation of the log. */
  async restoreTo(hour: number): Promise<void> {
    const { size } = this.checkpoints[hour] ?? { size: 0 };
    const lost = this.heads.findIndex(({ index }) => index >= size);
    if (lost >= 0) this.heads.splice(lost);
    this.entries.splice(this.heads.at(-1)?.leaf.seq ?? 0);
    const { size: formerSize, root } = this.log;
    const restoredToMs = (FIRST_HOUR + hour + 1) * HOUR_MS;
    await this.log.append([encodeRestore({ from: size, formerSize, formerRoot: hex(root), restoredToMs })]);
    this.#sign();
  }

  #sign(): void {
    const note = signCheckpoint({ origin: ORIGIN, ...this.log }, [signer]);
    this.checkpoints.push({ note, size: this.log.size });
  }

  /** The lines of an export, by default of all entries against the last checkpoint. */
  async export(options: Partial<ExportHeader> & { readonly fromSize?: number } = {}): Promise<string[]> {
    const { fromSize, ...changes } = options;
    const header: ExportHeader = {
      account: ACCOUNT,
      pseudonymSalt: this.salt,
      fromMs: null,
      toMs: null,
      firstSeq: this.entries[0]?.seq ?? null,
      lastSeq: this.entries.at(-1)?.seq ?? null,
      origin: ORIGIN,
      keys: [signer.key.toString()],
      ...changes,
    };
    const first = header.firstSeq ?? 0;
    const last = header.lastSeq ?? 0;
    const source = {
      header,
      entries: iterate(this.entries.filter(({ seq }) => seq >= first && seq <= last)),
      heads: iterate(this.heads.filter(({ leaf }) => leaf.seq >= first - 1 && leaf.seq <= last)),
      checkpoint: this.checkpoints.at(-1),
      fromSize,
      read: this.log.read,
    };
    const lines: string[] = [];
    for await (const line of writeExport(source)) lines.push(line);
    return lines;
  }

  /** Replaces the entries from this one on, as somebody who can write to the database can. */
  rewriteFrom(seq: number, change: (body: JsonObject) => JsonObject): void {
    for (const entry of this.entries.splice(seq - 1))
      this.entries.push(
        this.#linked({ ...entry, body: change(entry.content?.body ?? {}), salt: bytesOf(`${entry.seq}`) }),
      );
  }

  #next(at: number): ChainEntry {
    const seq = this.entries.length + 1;
    const body = { event_id: `event-${seq}`, actor_type: 'user', details: { in: this.name, size: seq * 10 } };
    return this.#linked({ seq, at, type: 'spark_created', body, salt: bytesOf(`${this.name} ${seq}`) });
  }

  #linked(entry: { seq: number; at: number; type: string; body: JsonObject; salt: Buffer }): ChainEntry {
    const { seq, at, type, body, salt } = entry;
    return chained(this.entries.at(-1)?.hash ?? FIRST_PREV_HASH, { seq, at, type, content: { body, salt } });
  }
}

/** An entry with its hashes. */
export function chained(
  prevHash: Buffer,
  { seq, at, type, content }: Pick<ChainEntry, 'seq' | 'at' | 'type' | 'content'>,
): ChainEntry {
  const ofBody = bodyHash(content?.salt ?? Buffer.alloc(32), content?.body ?? {});
  const hash = entryHash(prevHash, { account: ACCOUNT, seq, at, type }, ofBody);
  return { seq, at, type, content, bodyHash: ofBody, prevHash, hash };
}

export async function* iterate<T>(items: Iterable<T>): AsyncGenerator<T, void, void> {
  yield* items;
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}
