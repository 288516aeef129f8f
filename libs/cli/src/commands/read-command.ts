import { ApiError } from '@vaultsvc/client';
import { LinkVisitor, parseLink, type LinkContent } from '../api/link-visitor.js';
import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { CliError, UsageError } from '../failures.js';
import { exitCodes } from '../exit-codes.js';
import type { LinkAddress } from '../transfers/link-note.js';
import { LinkedFile } from '../transfers/linked-file.js';
import { Destination } from './destination.js';
import { linkOfCode } from './link-of-code.js';
import { isStdout } from './out-option.js';

/** `vaultsvc read` */
export const readCommand: Command = {
  name: 'read',
  summary: 'Reads a Spark or opens a link, once.',
  arguments: [
    {
      name: 'link',
      summary:
        'A link, the code of a link of your server, the id of a Spark, or - to read one from the standard input.',
    },
  ],
  options: {
    out: {
      value: 'file',
      summary: 'Write the content to a new file with mode 0600; - is the standard output.',
      isFile: true,
    },
    identity: {
      value: 'address',
      summary: 'Your address, for a link that asks for a code.',
      field: 'identity',
    },
  },
  notes: [
    'The content goes to the standard output as it was sent; on a terminal, characters that could control it are written\n' +
      'out. A file is checked first: its folder, its name and the room on the disk. Nothing is opened for one that fails.',
    'The file of a link goes to <file> when it is complete and has the hash of its version. After a crash or Ctrl-C the same\n' +
      'command goes on with it for 12 hours, although the link opens once. Nothing is overwritten.',
    'A link that asks who you are sends a code to your\n' +
      'address; the command asks for it on the terminal.',
  ],
  examples: [
    ['Open a link', 'vaultsvc read https://link.example.com/hT5vX9kQm2Zr7nLs'],
    ['Read a Spark of your account into a file', 'vaultsvc read spk_Zk4mQ9vT2xW7rB1nLs8YpA --out key.pem'],
  ],
  run: async (invocation) => {
    const { context } = invocation;
    const given = invocation.argument('link');
    // A link is a secret, too: it can be piped in to keep it out of the shell history.
    const reference = given === '-' ? await context.terminal.readInputLine() : given;
    const link = parseLink(reference) ?? (await linkOfCode(context, reference));
    if (!link && !reference.startsWith('spk_'))
      throw new UsageError(
        'Give a whole link, https://…, its code of 22 letters and digits, or the id of a Spark, spk_….',
      );
    const destination = new Destination(context, invocation.option('out'), isStdout(invocation));
    try {
      if (link)
        return await openLink(context, link, { destination, identity: invocation.option('identity') });
      await destination.prepare();
      return await showContent(context, await readSpark(context, reference), destination);
    } finally {
      await destination.discard();
    }
  },
};

/** A Spark or the content of a link. */
interface Content {
  readonly payload: string;
  readonly content_type: string;
  readonly filename?: string | null;
}

async function readSpark({ api }: CliContext, spark_id: string): Promise<Content> {
  try {
    return (await api.client().GET('/v1/sparks/{spark_id}', { params: { path: { spark_id } } })).data;
  } catch (error) {
    // Apart from its end, nothing makes the API refuse a Spark of the caller's account.
    const isRefused = error instanceof ApiError && error.status === 403 && error.reason === undefined;
    if (isRefused && error.code !== 'UNKNOWN')
      throw new CliError(error.message, exitCodes.gone, { cause: error });
    throw error;
  }
}

interface OpenOptions {
  readonly destination: Destination;
  readonly identity?: string;
}

/** Describes the link first, so that it is not used up for content that cannot be saved. */
async function openLink(
  context: CliContext,
  link: LinkAddress,
  { destination, identity }: OpenOptions,
): Promise<void> {
  const file = new LinkedFile(context, link, destination);
  if (await file.resume()) return;
  const visitor = new LinkVisitor(context.api.anonymous(link.origin), link.code);
  let token: string | undefined;
  const described = await visitor.describe().catch(async (error: unknown) => {
    if (!needsVerification(error))
      return (await wasKilled(file, error)) ? undefined : Promise.reject(error as Error);
    token = await verify(context, visitor, identity);
    return visitor.describe(token);
  });
  if (!described) return;
  const address = shareOf(described, link);
  if (address) return openLink(context, address, { destination, identity });
  if (described.type === 'file') return file.download(described, token);
  if (described.type === 'content') await destination.prepare();
  await showOpened(context, await visitor.open(token), destination);
}

/** Whether an earlier run has opened the link, and this one has gone on with it. */
async function wasKilled(file: LinkedFile, error: unknown): Promise<boolean> {
  return error instanceof ApiError && error.status === 403 && file.resumeAfterKill();
}

/** The address of a durable share, whose code the origin of links leads to the origin of files (OPEN-22). */
function shareOf({ type, url = '' }: LinkContent, { origin, code }: LinkAddress): LinkAddress | undefined {
  const address = type === 'redirect' ? parseLink(url) : undefined;
  return address?.code === code && address.origin !== origin ? address : undefined;
}

function needsVerification(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.details.verification !== undefined;
}

async function verify(
  { terminal, output }: CliContext,
  visitor: LinkVisitor,
  given?: string,
): Promise<string> {
  const otherwise = 'This link asks for a code, which is sent to the recipient.';
  const identity = given ?? (await terminal.ask('Your e-mail address or phone number: ', otherwise));
  await visitor.startVerification(identity.trim());
  output.note('If this address may open the link, a code of six digits was sent to it.');
  return visitor.confirmVerification(identity.trim(), (await terminal.ask('Code: ', otherwise)).trim());
}

async function showOpened(
  context: CliContext,
  content: LinkContent,
  destination: Destination,
): Promise<void> {
  const { type, url = '', reason, payload = '', content_type = 'text/plain', filename } = content;
  if (type === 'content') return showContent(context, { payload, content_type, filename }, destination);
  if (reason) context.output.note(`Careful: the destination is flagged (${reason}).`);
  // The destination is printed and never requested.
  context.output.result(content, url);
}

async function showContent(
  { output }: CliContext,
  content: Content,
  destination: Destination,
): Promise<void> {
  const bytes = bytesOf(content);
  const { path } = destination;
  if (path === undefined && output.isJson) return output.result(content, '');
  await destination.write([bytes]);
  if (path === undefined) return;
  output.result({ path, size_bytes: bytes.length }, '');
  output.note(`Written to ${path}.`);
}

/** The payload is text for text types, and base64 for all others. */
function bytesOf({ payload, content_type }: Content): Buffer {
  const isText = /^text\/|^application\/(json|xml|javascript)|\+(json|xml)/.test(content_type);
  return Buffer.from(payload, isText ? 'utf8' : 'base64');
}
