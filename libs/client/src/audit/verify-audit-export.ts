import { ExportProblem, InvalidNote, VerifierKey, verifyExport } from '@vaultsvc/transparency';
import { linesOf, type AuditExport } from './export-lines.js';

export type { AuditExport } from './export-lines.js';

/** The trust anchors of the verifier, besides the export. */
export interface AuditVerification {
  /** Keys of the log that you hold, `name+id+base64`; without them those that the export names itself. */
  readonly keys?: readonly string[];
  /** A checkpoint of the log that you have kept; it shows that the log was not replaced since then. */
  readonly checkpoint?: string;
  /** Reads a downloaded file of the log by its path, such as `tile/0/000`; undefined for one that is missing. */
  readonly readTile?: (path: string) => Promise<Uint8Array | undefined>;
}

/** The result for an intact export: its contents, and how far it is verified. */
export interface AuditReport {
  readonly account: string;
  readonly entries: number;
  /** Entries whose content was deleted; their hashes are kept. */
  readonly erased: number;
  readonly firstSeq: number | null;
  readonly lastSeq: number | null;
  /** The number of the last entry that the log commits to; null if it commits to none of them yet. */
  readonly loggedSeq: number | null;
  /** The signed checkpoint of the export; null before the first one of the log. */
  readonly checkpoint: { readonly origin: string; readonly size: number } | null;
  /** How the export was compared with your checkpoint; `undecided` if it cannot be. */
  readonly comparison: 'same' | 'proof' | 'tiles' | 'undecided' | null;
  /** Whether the tiles show that the log has no other heads of this account. */
  readonly isSearched: boolean;
}

/** The first problem of an export; docs/audit.md explains the kinds. */
export class AuditExportProblem extends Error {
  override readonly name = 'AuditExportProblem';

  constructor(
    /** `edited`, `removed`, `inserted`, `reordered`, `cut-tail`, `second-history`, `bad-signature`, … */
    readonly kind: string,
    message: string,
    /** The number of the first bad entry, where an entry is bad. */
    readonly seq?: number,
  ) {
    super(message);
  }
}

/**
 * Verifies an export of the audit log offline. It needs `node:crypto`, which Node, Deno and Bun have and browsers lack.
 * @throws AuditExportProblem for an export that is not intact; TypeError for a key or a checkpoint that is none
 */
export async function verifyAuditExport(
  exported: AuditExport,
  { keys, checkpoint, readTile }: AuditVerification = {},
): Promise<AuditReport> {
  try {
    const report = await verifyExport(checkedLines(exported), {
      keys: keys?.map((text) => VerifierKey.parse(text.trim())),
      pinned: checkpoint,
      read: readTile && (async (path) => bufferOf(await readTile(path))),
    });
    const { header, entries, erased, lastHead, log } = report;
    return {
      account: header.account,
      entries,
      erased,
      firstSeq: header.firstSeq,
      lastSeq: header.lastSeq,
      loggedSeq: lastHead?.seq ?? null,
      checkpoint: log.checkpoint ? { origin: log.checkpoint.origin, size: log.checkpoint.size } : null,
      comparison: log.comparison ?? null,
      isSearched: log.heads !== undefined,
    };
  } catch (error) {
    if (error instanceof ExportProblem) throw new AuditExportProblem(error.kind, error.message, error.seq);
    if (error instanceof InvalidNote) throw new TypeError(error.message, { cause: error });
    throw error;
  }
}

async function* checkedLines(exported: AuditExport): AsyncGenerator<string, void, void> {
  for await (const line of linesOf(exported)) {
    if (line === undefined) throw new ExportProblem('malformed', 'a line is longer than 1 MiB');
    yield line;
  }
}

function bufferOf(bytes: Uint8Array | undefined): Buffer | undefined {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
