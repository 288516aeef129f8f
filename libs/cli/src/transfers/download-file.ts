import { link, open, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { CliContext } from '../cli-context.js';
import { CliError, Interrupted } from '../command-line/failures.js';
import { ProgressBar } from '../terminal/progress-bar.js';
import { alreadyExists, safePath } from './new-file.js';

const RETRIES = 6;
const RETRY_MS = 1_000;

/** A file to download. */
export interface Download {
  /** A credential. */
  readonly url: string;
  readonly name: string;
  readonly size: number;
}

/** The path of the result. @throws CliError if a file exists there */
export function downloadPath(name: string, out: string | undefined): string {
  const path = out === undefined ? safePath(name) : resolve(out);
  if (existsSync(path)) throw alreadyExists(path);
  return path;
}

/** Downloads from a URL that works once. Returns the path. */
export async function downloadOnce(
  context: CliContext,
  file: Download,
  out: string | undefined,
): Promise<string> {
  const path = downloadPath(file.name, out);
  const part = `${path}.part`;
  await rm(part, { force: true });
  await appendRest(context, file, part, 0);
  await publish(part, path);
  return path;
}

/**
 * Appends to a partial file until it is complete, from a URL that can be used repeatedly. A broken connection is resumed.
 * @throws Interrupted at Ctrl-C; the partial file stays
 */
export async function downloadRest(context: CliContext, file: Download, part: string): Promise<void> {
  await appendRest(context, file, part, RETRIES);
}

async function appendRest(context: CliContext, file: Download, part: string, retries: number): Promise<void> {
  const { output, signal } = context;
  const bar = new ProgressBar(output.stderr, basename(file.name));
  const handle = await open(part, 'a', 0o600);
  try {
    await appendAll(file, handle, retries, signal, (bytes) => bar.update(bytes, file.size));
    await handle.sync();
  } catch (error) {
    if (!signal.aborted) throw error;
    bar.end();
    throw new Interrupted(
      retries > 0 ? 'Interrupted. Run the same command again to resume.' : 'Interrupted.',
    );
  } finally {
    bar.end();
    await handle.close();
  }
}

async function appendAll(
  file: Download,
  handle: FileHandle,
  retries: number,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  for (let failures = 0; ;) {
    const offset = (await handle.stat()).size;
    if (offset > file.size) throw new CliError('The partial file is longer than the file. Delete it.');
    if (offset === file.size) return;
    try {
      await appendFrom(file, handle, offset, signal, onProgress);
    } catch (error) {
      // What the server refuses stays refused; a broken connection may work the next time.
      if (signal.aborted || error instanceof CliError || (failures += 1) > retries) throw error;
      await delay(RETRY_MS * failures, undefined, { signal });
    }
  }
}

async function appendFrom(
  { url, size }: Download,
  handle: FileHandle,
  offset: number,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const headers: Record<string, string> = offset === 0 ? {} : { range: `bytes=${offset}-` };
  const response = await fetch(url, { headers, signal, redirect: 'error' });
  const expected = offset === 0 ? 200 : 206;
  if (response.status >= 500 || response.status === 429) throw new Error(`status ${response.status}`);
  if (response.status !== expected || !response.body)
    throw new CliError(`The download is refused with status ${response.status}.`);
  let bytes = offset;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    await handle.appendFile(chunk);
    onProgress((bytes += chunk.length));
  }
  // Forge cuts a response off rather than send bytes that it cannot authenticate.
  if (bytes < size) throw new Error('The connection ended early.');
  if (bytes > size) throw new CliError('The server sent more bytes than the file has.');
}

/** Gives a complete file its name, unless a file of this name has appeared meanwhile. */
export async function publish(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
    await unlink(part);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw alreadyExists(path);
    // A file system without hard links.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS') throw error;
    await rename(part, path);
  }
}

/** The bytes that a partial file has; 0 if there is none. */
export async function partSize(part: string): Promise<number> {
  return (await stat(part).catch(() => undefined))?.size ?? 0;
}
