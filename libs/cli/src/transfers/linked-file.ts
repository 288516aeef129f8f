import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CliContext } from '../cli-context.js';
import { CliError } from '../failures.js';
import { publish } from './new-file.js';
import { withProgress } from './transfer-progress.js';

/** The file of a link. */
export interface LinkedFile {
  /** It works once and is a credential. */
  readonly url: string;
  readonly name: string;
  readonly size: number;
}

/** Downloads the file of a link to a path. It cannot be resumed: the link is consumed, and the URL works once. */
export async function downloadLinkedFile(context: CliContext, file: LinkedFile, path: string): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  await withProgress(context, file.name, 'The link was opened and opens no more.', async (onProgress) => {
    const { body, ok, status } = await fetch(file.url, { signal: context.signal, redirect: 'error' });
    if (!ok || !body) throw new CliError(`The download is refused with status ${status}.`);
    let bytes = 0;
    const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        onProgress({ bytes: (bytes += chunk.length), total: file.size });
        yield chunk;
      }
    };
    const content = Readable.fromWeb(body as unknown as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(content, counted, createWriteStream(part, { mode: 0o600 }), { signal: context.signal });
    // Forge cuts a response off rather than send bytes that it cannot authenticate.
    if (bytes !== file.size) throw new CliError('The download ended early. The link opens no more.');
  });
  await publish(part, path);
}
