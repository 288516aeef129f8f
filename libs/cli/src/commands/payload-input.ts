import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CliContext } from '../cli-context.js';
import { CliError, UsageError } from '../failures.js';
import { mediaTypeOf } from '../media-type.js';
import { utf8Text } from '../utf8-text.js';

/** The largest payload of a Spark in bytes, unless the API says otherwise. */
export const SPARK_BYTES_MAX = 256_000;

/** The content of a Spark. */
export interface Payload {
  readonly payload: string;
  readonly content_type: string;
  readonly filename?: string;
}

/** Reads the content of a Spark: a file, the standard input, or what the user types without echo. */
export async function readPayload(context: CliContext, path: string | undefined): Promise<Payload> {
  if (path !== undefined && path !== '-') return payloadOfFile(path, limitOf(context));
  if (path === undefined && context.terminal.isInteractive) return askForPayload(context);
  return payloadOf(await context.terminal.readInput());
}

async function askForPayload({ terminal }: CliContext): Promise<Payload> {
  const payload = await terminal.askSecret('Secret (not shown): ', 'Pass a file, or pipe the secret.');
  if (payload === '') throw new UsageError('The secret is empty.');
  return { payload, content_type: 'text/plain' };
}

function limitOf({ api, store }: CliContext): number {
  return store.server(api.url).deployment?.limits.spark_payload_bytes ?? SPARK_BYTES_MAX;
}

async function payloadOfFile(path: string, bytesMax: number): Promise<Payload> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    // The word may be a secret, so that it is not repeated.
    if (error.code === 'ENOENT')
      throw new UsageError(
        'There is no file of this name. A secret is piped in or typed, never an argument.',
      );
    throw error;
  });
  if (found.isDirectory())
    throw new UsageError(`${path} is a folder. Use vaultsvc upload --recursive for folders.`);
  if (found.size > bytesMax)
    throw new CliError(
      `A Spark holds ${bytesMax.toLocaleString('en')} bytes at most. Use vaultsvc upload for larger files.`,
    );
  return payloadOf(await readFile(path), basename(path));
}

function payloadOf(content: Buffer, filename?: string): Payload {
  if (content.length === 0) throw new UsageError('There is nothing to send: the input is empty.');
  const text = utf8Text(content);
  if (text !== undefined && !text.includes('\0'))
    return { payload: text, content_type: 'text/plain', filename };
  const type = filename === undefined ? 'application/octet-stream' : mediaTypeOf(filename);
  // A type of text with bytes that are no text would be refused.
  const content_type = /^text\/|json|xml|javascript/.test(type) ? 'application/octet-stream' : type;
  return { payload: content.toString('base64'), content_type, filename };
}
