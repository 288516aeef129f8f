import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { upload, type ResumeStore, type UploadedFile, type UploadSource } from '@vaultsvc/client';
import { fileSource } from '@vaultsvc/client/node';
import type { Command } from '../command-line/command.js';
import { CliError, Interrupted, UsageError } from '../failures.js';
import type { Invocation } from '../command-line/invocation.js';
import { mediaTypeOf } from '../media-type.js';
import { bytesText } from '../terminal/progress-bar.js';
import { InputSpool } from '../transfers/input-spool.js';
import { resumableUploads } from '../transfers/resumable-uploads.js';
import { withProgress } from '../transfers/transfer-progress.js';
import { openVault, withOpenVault, type OpenVault } from './vault-access.js';

const NO_EMPTY_FILES = 'A vault stores no empty files: 1 byte at least.';

/** `vaultsvc upload` */
export const uploadCommand: Command = {
  name: 'upload',
  summary: 'Uploads a file to a vault; run it again to resume.',
  arguments: [
    { name: 'vault', summary: 'Name or id of an open vault.' },
    { name: 'file', summary: 'The file, or - for the standard input.', isFile: true },
  ],
  options: {
    name: {
      value: 'name',
      summary: 'The name in the vault. The default is that of the file, or stdin.',
      field: 'name',
    },
    folder: {
      value: 'path',
      summary: 'A folder such as 2026/reports; missing folders are created.',
      field: 'folder_path',
    },
    restart: { summary: 'Start over, even if the file can be resumed.' },
  },
  notes: [
    'A file with a known name replaces the content, when it is complete. After a crash or Ctrl-C the same command goes\n' +
      'on where the server is, for 24 hours, unless the file was changed meanwhile: what was sent is compared. A file that\n' +
      'changes while it is sent is refused, and the former content stays.',
    'The standard input is kept in an encrypted temporary file until it is uploaded, and cannot be resumed.',
  ],
  examples: [
    ['Upload, and resume after Ctrl-C by the same line', 'vaultsvc upload backups db.dump'],
    ['The output of a program', 'pg_dump shop | vaultsvc upload backups - --name shop.sql'],
    [
      'Into a folder, with another name',
      'vaultsvc upload backups db.dump --folder 2026/11 --name monday.dump',
    ],
  ],
  run: async (invocation) => {
    const { output } = invocation.context;
    const file = invocation.argument('file');
    const stored = await (file === '-' ? uploadInput(invocation) : uploadFile(invocation, resolve(file)));
    output.result(stored, stored.ingot_id);
    output.note(`Uploaded ${stored.name}, ${bytesText(stored.size_bytes)}.`);
  },
};

async function uploadFile(invocation: Invocation, path: string) {
  const { context } = invocation;
  await assertUploadable(path);
  const name = invocation.option('name') ?? basename(path);
  const resume = resumableUploads(context.environment.stateDir, invocation.has('restart'), () =>
    context.output.note(`Resuming the upload of ${name}.`),
  );
  const advice = 'Run the same command again to resume.';
  return withOpenVault(context, invocation.argument('vault'), async (vault) => {
    return stored(vault, await send(invocation, vault, await fileSource(path), { name, resume, advice }));
  });
}

async function uploadInput(invocation: Invocation) {
  const { context } = invocation;
  const { terminal, signal } = context;
  const name = invocation.option('name') ?? 'stdin';
  if (terminal.isInteractive) throw new UsageError('Pipe the content into the standard input.');
  const advice = 'The standard input was not stored.';
  const reference = invocation.argument('vault');
  // Before the input is read, which cannot be repeated. Its token may have expired by the end of the input.
  await openVault(context, reference);
  const spool = await InputSpool.fill(terminal.input, signal).catch((error: unknown) => {
    throw signal.aborted ? new Interrupted(`Interrupted. ${advice}`) : error;
  });
  try {
    const source = spool.source(name);
    if (source.size === 0) throw new CliError(`The standard input is empty. ${NO_EMPTY_FILES}`);
    return await withOpenVault(context, reference, async (vault) =>
      stored(vault, await send(invocation, vault, source, { name, advice })),
    );
  } finally {
    await spool.remove();
  }
}

async function assertUploadable(path: string): Promise<void> {
  const file = await stat(path);
  if (!file.isFile()) throw new CliError(`${path} is not a file.`);
  if (file.size === 0) throw new CliError(`${path} is empty. ${NO_EMPTY_FILES}`);
}

interface SendOptions {
  readonly name: string;
  readonly advice: string;
  readonly resume?: ResumeStore;
}

function send(
  invocation: Invocation,
  vault: OpenVault,
  source: UploadSource,
  { name, advice, resume }: SendOptions,
): Promise<UploadedFile> {
  const { context } = invocation;
  return withProgress(context, name, advice, (onProgress, onCompared) =>
    upload(vault, source, {
      onProgress,
      onCompared,
      name,
      contentType: mediaTypeOf(name),
      folderPath: invocation.option('folder'),
      resume,
      signal: context.signal,
    }),
  );
}

async function stored(vault: OpenVault, uploaded: UploadedFile) {
  const { ingotId: ingot_id, name, size: size_bytes, contentHash: content_hash, verified } = uploaded;
  const status = await statusOf(vault, ingot_id);
  return { vault_id: vault.vaultId, ingot_id, name, size_bytes, status, content_hash, verified };
}

/** `uploading` for a moment if a service was down when the last byte arrived. */
async function statusOf({ client, vaultId: vault_id }: OpenVault, ingot_id: string): Promise<string> {
  const params = { path: { vault_id, ingot_id } };
  return (await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params })).data.status;
}
