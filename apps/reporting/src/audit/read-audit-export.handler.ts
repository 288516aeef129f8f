import { Readable } from 'node:stream';
import { Controller } from '@nestjs/common';
import { validationError, type Input } from '@vaultsvc/contracts';
import {
  readAuditExport,
  type AuditExportPart,
  type AuditExportPosition,
} from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import {
  SALT_BYTES,
  writeEntries,
  writeExport,
  type ChainEntry,
  type ExportHeader,
  type ExportSource,
  type LoggedHead,
} from '@vaultsvc/transparency';
import { auditCsvHeader, auditCsvRecord } from './audit-csv.js';
import { AuditExportRepository, type EntryRange } from './audit-export.repository.js';
import { TransparencyLog } from './log/transparency-log.js';
import { assertTimeRange } from './time-range.js';

const ENTRIES_MAX = 500;
/** Entries of integrations may have 8 KiB each. */
const PART_BYTES_MAX = 512 * 1_024;

/** The rest of an export. Range and checkpoint stay those of its first part, so that the file is one view of the log. */
interface Position {
  readonly seq: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  /** Of the checkpoint that all proofs lead to; 0: there is none. */
  readonly size: number;
}

/** Writes the parts of exports (AUD-15). */
@Controller()
export class ReadAuditExport {
  constructor(
    private readonly entries: AuditExportRepository,
    private readonly log: TransparencyLog,
  ) {}

  @Handles(readAuditExport)
  async handle({ body }: Input<typeof readAuditExport>): Promise<AuditExportPart> {
    if (body.position !== undefined) return this.#continue(body, JSON.parse(body.position) as Position);
    assertTimeRange(body);
    const checkpoint = await this.log.latest();
    const size = checkpoint?.size ?? 0;
    assertPinned(body.from_size, size);
    const range = await this.entries.range(body.account_id, msOf(body.from), msOf(body.to));
    const opening = { header: this.#header(body, range), checkpoint, fromSize: body.from_size };
    const { firstSeq, lastSeq } = opening.header;
    if (firstSeq !== null && lastSeq !== null)
      return this.#continue(body, { seq: firstSeq, firstSeq, lastSeq, size }, opening);
    if (body.format === 'csv') return { lines: auditCsvHeader, next: null, format: 'csv' };
    return { lines: await this.#lines(opening, [], []), next: null };
  }

  /** The entries from the position on, and before the first of them what opens the file. */
  async #continue(
    { account_id, format }: AuditExportPosition,
    { seq, firstSeq, lastSeq, size }: Position,
    opening?: Opening,
  ): Promise<AuditExportPart> {
    const found = await this.entries.entries(account_id, seq, lastSeq, ENTRIES_MAX);
    const entries = upToBytes(found, PART_BYTES_MAX);
    const end = entries.at(-1)?.seq ?? lastSeq;
    const next = end < lastSeq ? JSON.stringify({ seq: end + 1, firstSeq, lastSeq, size }) : null;
    if (format === 'csv') {
      const records = entries.map(auditCsvRecord).join('');
      return { lines: opening ? auditCsvHeader + records : records, next, format };
    }
    const heads = await this.entries.heads(account_id, opening ? seq - 1 : seq, end);
    const lines = opening
      ? await this.#lines(opening, entries, heads)
      : await this.#entryLines(entries, heads, size);
    return { lines, next };
  }

  #lines(opening: Opening, entries: readonly ChainEntry[], heads: readonly LoggedHead[]): Promise<string> {
    return joined(writeExport({ ...opening, ...streamed(entries, heads), read: this.log.read }));
  }

  #entryLines(entries: readonly ChainEntry[], heads: readonly LoggedHead[], size: number): Promise<string> {
    return joined(writeEntries({ ...streamed(entries, heads), size, read: this.log.read }));
  }

  #header({ account_id, from, to }: AuditExportPosition, range: EntryRange | undefined): ExportHeader {
    return {
      account: account_id,
      pseudonymSalt: range?.pseudonymSalt ?? NO_SALT,
      fromMs: msOf(from),
      toMs: msOf(to),
      firstSeq: range?.firstSeq ?? null,
      lastSeq: range?.lastSeq ?? null,
      origin: this.log.origin,
      keys: this.log.keys.map(String),
    };
  }
}

/** What comes before the entries. */
type Opening = Pick<ExportSource, 'header' | 'checkpoint' | 'fromSize'>;

/** Of an account without a chain, which no head can name. */
const NO_SALT = Buffer.alloc(SALT_BYTES);

function assertPinned(fromSize: number | undefined, size: number): void {
  if (fromSize === undefined || fromSize <= size) return;
  const message = `from_size must be at most ${size}, the size of the log`;
  throw validationError({ field: 'from_size', message });
}

function msOf(seconds: number | undefined): number | null {
  return seconds === undefined ? null : seconds * 1_000;
}

/** The first entries, one at least, whose bodies have this many bytes. */
function upToBytes(entries: readonly ChainEntry[], bytesMax: number): readonly ChainEntry[] {
  let bytes = 0;
  const tooMany = entries.findIndex(
    ({ content }, index) =>
      (bytes += content ? JSON.stringify(content.body).length : 0) > bytesMax && index > 0,
  );
  return tooMany === -1 ? entries : entries.slice(0, tooMany);
}

function streamed(entries: readonly ChainEntry[], heads: readonly LoggedHead[]) {
  return { entries: Readable.from(entries), heads: Readable.from(heads) };
}

async function joined(lines: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const line of lines) text += `${line}\n`;
  return text;
}
