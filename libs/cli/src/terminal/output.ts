import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printable, printableJson, visible } from './printable.js';
import { TerminalText } from './terminal-text.js';

const WRITTEN_OUT =
  'Characters that could control the terminal are written out, such as \\x1b. A pipe or a file gets them as they are.';

/**
 * Results go to the standard output, everything else to the standard error, so that results can be piped. What others have
 * written cannot control a terminal.
 */
export class Output {
  constructor(
    readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number },
    readonly stderr: Writable,
    readonly isJson: boolean,
  ) {}

  /** Prints the result of a command: with `--json` the object, otherwise the text. */
  result(object: unknown, text: string): void {
    const shown = this.isJson ? printableJson(object) : this.stdout.isTTY ? visible(text) : text;
    if (shown !== '') this.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  }

  /** Prints bytes, such as those of a Spark: into a pipe or a file exactly, on a terminal without its control characters. */
  bytes(content: Uint8Array): Promise<void> {
    return this.stream([content]);
  }

  /** Prints bytes as they arrive. */
  async stream(
    content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<void> {
    const text = this.stdout.isTTY ? new TerminalText() : undefined;
    // The standard output stays open for what follows, and reports its own errors.
    await pipeline(text ? shownParts(content, text) : content, this.stdout, { end: false, signal });
    if (text?.isChanged) this.note(WRITTEN_OUT);
  }

  /** Tells the user something that is not the result. */
  note(sentence: string): void {
    if (!this.isJson) this.prompt(sentence);
  }

  /** Warns of what did not have the intended effect; with `--json` as an object, such as a failure is. */
  warn(message: string): void {
    this.stderr.write(
      this.isJson ? `${JSON.stringify({ warning: { message } })}\n` : `vaultsvc: warning: ${message}\n`,
    );
  }

  /** Tells the user what to do now, with `--json` too. */
  prompt(sentence: string): void {
    this.stderr.write(`${printable(sentence)}\n`);
  }
}

async function* shownParts(
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  text: TerminalText,
): AsyncGenerator<string, void, void> {
  for await (const part of content) yield text.push(part);
  yield text.end();
}
