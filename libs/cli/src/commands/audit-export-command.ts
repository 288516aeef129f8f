import { Readable } from 'node:stream';
import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { UsageError } from '../failures.js';
import { NewFile, newFilePath } from '../transfers/new-file.js';
import { isStdout } from './out-option.js';

/** `vaultsvc audit export` */
export const auditExportCommand: Command = {
  name: 'audit export',
  summary: 'Downloads the audit log of the account with its proofs.',
  options: {
    out: {
      value: 'file',
      summary: 'The file. The default is audit.jsonl, or audit.csv; - is the standard output.',
      isFile: true,
    },
    format: {
      value: 'jsonl|csv',
      summary: 'jsonl, the default, has the proofs that verify it. csv is for spreadsheets.',
    },
  },
  examples: [
    ['Keep it, and verify it later offline', 'vaultsvc audit export --out 2026-11.jsonl'],
    ['Open it in a spreadsheet', 'vaultsvc audit export --format csv'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const out = invocation.option('out');
    const format = formatOf(invocation.option('format'));
    if (isStdout(invocation))
      return context.output.stream(await exportStream(context, format), context.signal);
    const path = newFilePath(`audit.${format}`, out);
    const file = await NewFile.create(path, 0, context.environment.stateDir);
    try {
      await file.complete(await exportStream(context, format), context.signal);
    } finally {
      await file.discard();
    }
    context.output.result({ path }, path);
  },
};

type Format = 'jsonl' | 'csv';

/** Throws UsageError for another format. */
function formatOf(format = 'jsonl'): Format {
  if (format === 'jsonl' || format === 'csv') return format;
  throw new UsageError('--format must be jsonl or csv.');
}

/** The lines of an export as the API sends them. */
export async function exportStream({ api }: CliContext, format: Format = 'jsonl'): Promise<Readable> {
  const { body } = await api.client().stream('/v1/audit-logs/export', { params: { query: { format } } });
  return Readable.fromWeb(body as unknown as Parameters<typeof Readable.fromWeb>[0]);
}
