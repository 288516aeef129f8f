import { Readable } from 'node:stream';
import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { NewFile, newFilePath } from '../transfers/new-file.js';
import { isStdout } from './out-option.js';

/** `vaultsvc audit export` */
export const auditExportCommand: Command = {
  name: 'audit export',
  summary: 'Downloads the audit log of the account with its proofs.',
  options: {
    out: {
      value: 'file',
      summary: 'The file. The default is audit.jsonl; - is the standard output.',
      isFile: true,
    },
  },
  examples: [['Keep it, and verify it later offline', 'vaultsvc audit export --out 2026-11.jsonl']],
  run: async (invocation) => {
    const { context } = invocation;
    const out = invocation.option('out');
    if (isStdout(invocation)) return context.output.stream(await exportStream(context), context.signal);
    const path = newFilePath('audit.jsonl', out);
    const file = await NewFile.create(path, 0, context.environment.stateDir);
    try {
      await file.complete(await exportStream(context), context.signal);
    } finally {
      await file.discard();
    }
    context.output.result({ path }, path);
  },
};

/** The lines of an export as the API sends them. */
export async function exportStream({ api }: CliContext): Promise<Readable> {
  const { body } = await api.client().stream('/v1/audit-logs/export');
  return Readable.fromWeb(body as unknown as Parameters<typeof Readable.fromWeb>[0]);
}
