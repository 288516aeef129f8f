import { randomBytes } from 'node:crypto';
import {
  accountPseudonym,
  bodyHash,
  encodeHead,
  entryHash,
  FIRST_PREV_HASH,
  NoteSigner,
  SALT_BYTES,
  type ChainEntry,
  type ExportHeader,
  type LoggedHead,
} from '@vaultsvc/transparency';

const ORIGIN = 'sample.example/v1/audit-logs/log';
const ACCOUNT = 'acc_0000000000000000000001';
const FIRST_HOUR = 498_696; // 2026-11-22T00:00:00Z
const HOUR_MS = 3_600_000;

/** An account with entries in every hour, in a log with many other accounts. */
export class SampleAccount {
  readonly signer = new NoteSigner(ORIGIN, randomBytes(32));
  readonly #salt = randomBytes(SALT_BYTES);
  readonly #entries: ChainEntry[] = [];
  readonly #heads: LoggedHead[] = [];

  /** Adds the entries of an hour, and returns its `count` leaves; `index` is that of the first. The last one is ours. */
  addHour(place: number, entries: number, index: number, count: number): Buffer[] {
    const hour = FIRST_HOUR + place;
    for (let minute = 0; minute < entries; minute += 1) this.#append(hour * HOUR_MS + minute * 60_000);
    const others = Array.from({ length: count - 1 }, () =>
      encodeHead({ pseudonym: randomHash(), seq: 1, head: randomHash(), hour }),
    );
    const last = this.#entries.at(-1);
    const pseudonym = accountPseudonym(this.#salt, ACCOUNT);
    const leaf = { pseudonym, seq: last?.seq ?? 0, head: last?.hash.toString('hex') ?? '', hour };
    this.#heads.push({ leaf, index: index + others.length });
    return [...others, encodeHead(leaf)];
  }

  exportSource() {
    const header: ExportHeader = {
      account: ACCOUNT,
      pseudonymSalt: this.#salt,
      fromMs: null,
      toMs: null,
      firstSeq: 1,
      lastSeq: this.#entries.length,
      origin: ORIGIN,
      keys: [this.signer.key.toString()],
    };
    return { header, entries: iterate(this.#entries), heads: iterate(this.#heads) };
  }

  #append(at: number): void {
    const seq = this.#entries.length + 1;
    const [type, prevHash] = ['spark_created', this.#entries.at(-1)?.hash ?? FIRST_PREV_HASH];
    const body = {
      event_id: `00000000-0000-4000-8000-${String(seq).padStart(12, '0')}`,
      actor_type: 'user',
      actor_display: 'ann@example.com',
      details: { spark_id: `spk_${String(seq).padStart(22, '0')}`, size_bytes: 100 + seq },
    };
    const content = { salt: randomBytes(SALT_BYTES), body };
    const ofBody = bodyHash(content.salt, body);
    const hash = entryHash(prevHash, { account: ACCOUNT, seq, at, type }, ofBody);
    this.#entries.push({ seq, at, type, content, bodyHash: ofBody, prevHash, hash });
  }
}

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T, void, void> {
  yield* items;
}

function randomHash(): string {
  return randomBytes(32).toString('hex');
}
