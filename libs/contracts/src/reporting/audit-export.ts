import { Example } from '../core/example.js';
import { IdOf, Int, OneOf, Text, TextList } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { EVERY_SHARD } from '../core/shards.js';

/** Characters of one part of an export: a message holds it. */
const PART_CHARACTERS_MAX = 4_000_000;

/** The formats of an export. Only JSON Lines have what verifies it. */
const exportFormats = ['jsonl', 'csv'] as const;

/** Query of `exportAudit`. */
export class AuditExportQuery {
  @OneOf(exportFormats, {
    optional: true,
    description:
      'jsonl, the default: every line with the proofs that verify it. csv (RFC 4180): a record of each entry, for spreadsheets; a cell that they would run as a formula begins with an apostrophe.',
  })
  format?: (typeof exportFormats)[number];

  @Int({ min: 0, optional: true, description: 'Epoch seconds of the first entries; default: the beginning.' })
  from?: number;

  @Int({
    min: 0,
    optional: true,
    description:
      'Epoch seconds before which the entries happened, `from` at least; default: now. Milliseconds are 400.',
  })
  to?: number;

  @Int({
    min: 1,
    optional: true,
    description:
      'The tree size of a checkpoint that you pinned: adds the proof that the log still continues it.',
  })
  from_size?: number;
}

/** Body of `readAuditExport`. */
export class AuditExportPosition extends AuditExportQuery {
  @IdOf('acc') account_id: string;
  @Text({ max: 512, optional: true, description: 'The position after the previous part.' }) position?: string;
}

/** Some lines of an export. */
export class AuditExportPart {
  @Text({ max: PART_CHARACTERS_MAX, raw: true, description: 'Whole lines, each with its newline.' })
  lines: string;
  @Text({ max: 512, nullable: true, description: 'The position of the next part; null after the last one.' })
  next: string | null;
  @OneOf(exportFormats, { optional: true, description: 'Of the lines; absent: JSON Lines.' })
  format?: (typeof exportFormats)[number];
}

/** Reads the next part of an export. */
export const readAuditExport = operation({
  name: 'reporting.read-audit-export',
  summary: 'Reads the next lines of an export of the audit log.',
  access: 'internal',
  callers: ['gateway'],
  body: AuditExportPosition,
  reply: AuditExportPart,
  repeatable: true,
});

/**
 * Exports the account's whole chain, entries of vaults and integrations included (AUD-14, AUD-15). Erased entries have no
 * body. `npm run audit -- verify` verifies the file offline.
 */
export const exportAudit = operation({
  name: 'reporting.export-audit',
  summary:
    'Streams the audit log of the account, oldest first, as JSON Lines with the proofs by which a third party verifies it offline, or as CSV.',
  http: { method: 'GET', path: '/v1/audit-logs/export', status: 200 },
  access: { credential: 'key', role: 'admin' },
  query: AuditExportQuery,
  parts: readAuditExport,
});

/** Body of `readLogFile`. */
export class LogFilePath {
  @Text({ max: 200, description: 'checkpoint, or the path of a tile: tile/…' }) path: string;
}

/** A file of the transparency log. */
export class LogFileContent {
  @Text({ max: 200_000, nullable: true, description: 'Base64; null if there is no such file.' })
  content: string | null;
}

/** Reads a file of the transparency log, which the gateway publishes (AUD-14). Each shard has a log of its own (ADR 63). */
export const readLogFile = operation({
  name: 'reporting.read-log-file',
  summary: 'Reads the checkpoint or a tile of the transparency log.',
  access: 'internal',
  callers: ['gateway'],
  shardBy: EVERY_SHARD,
  body: LogFilePath,
  reply: LogFileContent,
  repeatable: true,
});

/** The state of an account's chain. */
@Example({
  entries: 94,
  logged_entries: 94,
  tree_size: 94,
  origin: 'api.example.com/v1/audit-logs/log',
  keys: ['api.example.com/v1/audit-logs/log+f81e2213+AV4aOZ8AD/hf7OmjUsWPyaOAys8OmySTZxbVtecJvx00'],
})
export class AuditIntegrity {
  @OneOf(['verified', 'pending', 'broken'], {
    description:
      'verified: the newest entries follow from each other, and the log contains the last published head. pending: the log has no head of this account yet. broken: export the log and verify it offline.',
  })
  state: 'verified' | 'pending' | 'broken';
  @Int({ min: 0, description: 'Entries of the account, erased ones included.' }) entries: number;
  @Int({ min: 0, description: 'The newest entry that the log covers; 0: none.' }) logged_entries: number;
  @Int({ min: 0, description: 'Leaves of the log under its last checkpoint.' }) tree_size: number;
  @Text({ max: 300, description: 'The name of the log in its checkpoints.' }) origin: string;
  @TextList({ maxItems: 16, max: 400, description: 'The keys that verify checkpoints, as vkeys of C2SP.' })
  keys: string[];
}

/** Verifies the newest entries of the account and its last head in the log. */
export const readAuditIntegrity = operation({
  name: 'reporting.read-audit-integrity',
  summary:
    "Verifies the newest thousand entries of the account's chain and its last head in the transparency log.",
  http: { method: 'GET', path: '/v1/audit-logs/integrity', status: 200 },
  access: { credential: 'key' },
  reply: AuditIntegrity,
  repeatable: true,
});
