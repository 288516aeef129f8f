import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { lockKey, type ProcessLock } from '@vaultsvc/client/node';
import type { CliContext } from '../cli-context.js';
import { exitCodes } from '../exit-codes.js';
import { LinkNotes, type OpenedFile } from './link-note.js';
import { answerOf, openedFileOf, type OpeningAnswer, type OpeningRequest } from './link-opening.js';

/** The word by which the program starts itself as an opener. */
export const OPENER = '__open-link';
const RETRY_MS = 100;
/** A URL of 2,048 characters, the longest name in JSON, and the rest. */
const NOTE_BYTES_MAX = 4_096;

/** What an opener gets on its standard input: a link is no argument (CLI-01). */
interface OpenerInput extends OpeningRequest {
  readonly stateDir: string;
}

/**
 * Opens the link of a file in a process of its own, which keeps the answer before it passes it on. A command that is killed in
 * this moment would otherwise lose the answer of a link that opens once.
 */
export async function openSafely({ environment }: CliContext, request: OpeningRequest): Promise<OpenedFile> {
  const { self, stateDir } = environment;
  const input = { ...request, stateDir };
  return openedFileOf((self && (await askOpener(self, input))) ?? (await answerAndKeep(input)));
}

/** Undefined if the opener could not start. */
async function askOpener(
  [program = '', ...args]: readonly string[],
  input: OpenerInput,
): Promise<OpeningAnswer | undefined> {
  const opener = spawn(program, [...args, OPENER], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  const answer: Buffer[] = [];
  opener.stdout.on('data', (bytes: Buffer) => answer.push(bytes));
  opener.stdin.on('error', () => undefined).end(JSON.stringify(input));
  const code = await new Promise<number | null>((resolve) => {
    opener.once('error', () => resolve(exitCodes.usage)).once('close', (ended) => resolve(ended));
  });
  const text = Buffer.concat(answer).toString();
  if (text !== '') return JSON.parse(text) as OpeningAnswer;
  // A program that does not know the word has opened nothing.
  if (code === exitCodes.usage) return undefined;
  return { problem: 'The process that opens the link ended without an answer.' };
}

/** The opener: it outlives the command that started it. */
export async function runOpener(input: AsyncIterable<Buffer>, output: NodeJS.WritableStream): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of input) parts.push(part);
  const answer = await answerAndKeep(JSON.parse(Buffer.concat(parts).toString()) as OpenerInput);
  output.on('error', () => undefined);
  output.write(JSON.stringify(answer));
}

/** Openers of one link take turns: the second one finds what the first has kept. */
async function answerAndKeep(input: OpenerInput): Promise<OpeningAnswer> {
  const notes = new LinkNotes(input.stateDir, input);
  const lock = await waitForOpener(notes);
  try {
    const opened = await notes.opened.read().catch(() => undefined);
    if (opened) return { opened };
    // A command that has ended meanwhile needs no link.
    if (!(await notes.part.read())) return { problem: 'The command that opens the link has ended.' };
    // A full disk is noticed before the link is consumed.
    await notes.opened.reserve(NOTE_BYTES_MAX);
    const answer = await answerOf(input);
    if ('opened' in answer) await notes.opened.write(answer.opened).catch(() => undefined);
    else await notes.opened.remove();
    return answer;
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  } finally {
    await lock.release();
  }
}

/** Resolves when no opener of the link runs, with the lock that an opener holds until its answer is kept. */
export async function waitForOpener(
  { stateDir, key }: LinkNotes,
  signal?: AbortSignal,
): Promise<ProcessLock> {
  for (;;) {
    const lock = await lockKey(stateDir, `opener ${key}`, '', 'The link is being opened').catch(
      (error: unknown) => {
        if ((error as { problem?: string }).problem !== 'BUSY') throw error;
        return undefined;
      },
    );
    if (lock) return lock;
    await delay(RETRY_MS, undefined, { signal });
  }
}
