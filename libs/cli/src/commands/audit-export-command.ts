import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { newFilePath, publish } from '../transfers/new-file.js';

/** `vaultsvc audit export` */
export const auditExportCommand: Command = {
  name: 'audit export',
  summary: 'Downloads the audit log of the account with its proofs.',
  options: { out: { value: 'file', summary: 'The file. The default is audit.jsonl.', isFile: true } },
  examples: [['Keep it, and verify it later offline', 'vaultsvc audit export --out 2026-11.jsonl']],
  run: async (invocation) => {
    const { context } = invocation;
    const path = newFilePath('audit.jsonl', invocation.option('out'));
    const part = `${path}.part`;
    await rm(part, { force: true });
    await pipeline(await exportStream(context), createWriteStream(part, { mode: 0o600 }), {
      signal: context.signal,
    });
    await publish(part, path);
    context.output.result({ path }, path);
  },
};

/** The lines of an export as the API sends them. */
export async function exportStream({ api }: CliContext): Promise<Readable> {
  const { body } = await api.client().stream('/v1/audit-logs/export');
  return Readable.fromWeb(body as unknown as Parameters<typeof Readable.fromWeb>[0]);
}
