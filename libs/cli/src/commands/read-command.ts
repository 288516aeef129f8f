import { ApiError } from '@vaultsvc/client';
import { LinkVisitor, parseLink, type LinkContent } from '../api/link-visitor.js';
import type { CliContext } from '../cli-context.js';
import type { Command } from '../command-line/command.js';
import { CliError, UsageError } from '../failures.js';
import { exitCodes } from '../exit-codes.js';
import { downloadLinkedFile } from '../transfers/linked-file.js';
import { newFilePath, writeNewFile } from '../transfers/new-file.js';

/** `vaultsvc read` */
export const readCommand: Command = {
  name: 'read',
  summary: 'Reads a Spark or opens a link, once.',
  arguments: [
    { name: 'link', summary: 'A link, the id of a Spark, or - to read the link from the standard input.' },
  ],
  options: {
    out: { value: 'file', summary: 'Write the content to a new file with mode 0600.', isFile: true },
    identity: { value: 'address', summary: 'Your address, for a link that asks for a code.' },
  },
  notes: [
    'The content goes to the standard output as it was sent. A link that asks who you are sends a code to your\n' +
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
    const out = invocation.option('out');
    const link = parseLink(reference);
    if (link) return openLink(context, link, { out, identity: invocation.option('identity') });
    if (!reference.startsWith('spk_')) throw new UsageError('Give a link or the id of a Spark, spk_….');
    return showContent(context, await readSpark(context, reference), out);
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
    const isEnded = error instanceof ApiError && error.status === 403 && error.reason === undefined;
    if (isEnded) throw new CliError(error.message, exitCodes.gone, { cause: error });
    throw error;
  }
}

interface OpenOptions {
  readonly out?: string;
  readonly identity?: string;
}

async function openLink(
  context: CliContext,
  { origin, code }: { readonly origin: string; readonly code: string },
  { out, identity }: OpenOptions,
): Promise<void> {
  const visitor = new LinkVisitor(context.api.anonymous(origin), code);
  const content = await visitor.open().catch(async (error: unknown) => {
    if (!needsVerification(error)) throw error;
    return visitor.open(await verify(context, visitor, identity));
  });
  await showOpened(context, content, out);
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

async function showOpened(context: CliContext, content: LinkContent, out: string | undefined): Promise<void> {
  const { type, url = '', reason, payload = '', content_type = 'text/plain', filename } = content;
  if (type === 'content') return showContent(context, { payload, content_type, filename }, out);
  if (type === 'file') return saveFile(context, content, out);
  if (reason) context.output.note(`Careful: the destination is flagged (${reason}).`);
  // The destination is printed and never requested.
  context.output.result(content, url);
}

async function saveFile(context: CliContext, content: LinkContent, out?: string): Promise<void> {
  const { download_url: url = '', name = 'download', size_bytes = 0 } = content;
  const path = newFilePath(name, out);
  await downloadLinkedFile(context, { url, name, size: size_bytes }, path);
  context.output.result({ type: 'file', name, size_bytes, path }, path);
}

async function showContent({ output }: CliContext, content: Content, out?: string): Promise<void> {
  const bytes = bytesOf(content);
  if (out !== undefined) {
    await writeNewFile(out, bytes);
    output.result({ path: out, size_bytes: bytes.length }, '');
    output.note(`Written to ${out}.`);
  } else if (output.isJson) output.result(content, '');
  else await output.bytes(bytes);
}

/** The payload is text for text types, and base64 for all others. */
function bytesOf({ payload, content_type }: Content): Buffer {
  const isText = /^text\/|^application\/(json|xml|javascript)|\+(json|xml)/.test(content_type);
  return Buffer.from(payload, isText ? 'utf8' : 'base64');
}
