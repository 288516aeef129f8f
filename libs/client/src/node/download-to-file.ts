import { open, rename, rm, stat } from 'node:fs/promises';
import { download, type DownloadOptions } from '../transfer/download.js';
import { TransferError } from '../transfer/transfer-error.js';
import type { VaultAccess } from '../transfer/vault-access.js';
import { PrivateFile } from './private-file.js';

/** The settings of `downloadToFile`. */
export type FileDownloadOptions = Pick<DownloadOptions, 'onProgress' | 'signal' | 'fetch'>;

/** The download that a file on the disk is part of. */
interface PartialDownload {
  readonly ingotId: string;
  readonly size: number;
  readonly updatedAt: number;
}

/** A complete download. */
export interface DownloadedFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

/**
 * Downloads a file to a path. The bytes are in `<path>.part` until they are complete; a later call continues there, unless
 * the file in the vault has changed.
 * @param ingot its id, or `:` and its name
 */
export async function downloadToFile(
  vault: VaultAccess,
  ingot: string,
  path: string,
  options: FileDownloadOptions = {},
): Promise<DownloadedFile> {
  const { client, vaultId } = vault;
  const params = { path: { vault_id: vaultId, ingot_id: ingot } };
  const { data } = await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}', { params });
  const whole = { ingotId: data.ingot_id, size: data.size_bytes, updatedAt: data.updated_at };
  const part = `${path}.part`;
  const note = new PrivateFile<PartialDownload>(`${part}.json`);
  const start = await usableBytes(part, note, whole);
  await note.write(whole);
  await append(vault, part, { ...options, start }, whole);
  await rename(part, path);
  await note.remove();
  return { path, name: data.name, size: data.size_bytes };
}

/** Bytes of an interrupted download of the same content. Others are deleted. */
async function usableBytes(
  part: string,
  note: PrivateFile<PartialDownload>,
  whole: PartialDownload,
): Promise<number> {
  const known = await note.read();
  const bytes = await stat(part).then(
    ({ size }) => size,
    () => 0,
  );
  const isSame =
    known?.ingotId === whole.ingotId && known.size === whole.size && known.updatedAt === whole.updatedAt;
  if (isSame && bytes <= whole.size) return bytes;
  await rm(part, { force: true });
  return 0;
}

async function append(
  vault: VaultAccess,
  part: string,
  options: DownloadOptions,
  { ingotId, size }: PartialDownload,
): Promise<void> {
  const file = await open(part, 'a', 0o600);
  try {
    const { body } = await download(vault, ingotId, options);
    for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) await file.write(bytes);
    if ((await file.stat()).size !== size) throw new TransferError('The file was replaced.');
    await file.sync();
  } finally {
    await file.close();
  }
}
