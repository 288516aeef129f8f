import { closeSync, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { Readable, Writable } from 'node:stream';
import { CliError, Interrupted, UsageError } from '../failures.js';
import { printable } from './printable.js';
import { readLine, type RawInput } from './read-line.js';

/** Asks questions on the terminal, and reads the standard input. */
export class Terminal {
  constructor(
    private readonly stdin: Readable & { readonly isTTY?: boolean },
    private readonly stderr: Writable,
    private readonly openTty: () => RawInput | undefined = openControllingTerminal,
  ) {}

  /** Whether the standard input is a terminal, from which nothing comes until the user types. */
  get isInteractive(): boolean {
    return this.stdin.isTTY === true;
  }

  /** Asks for a secret. Nothing that is typed is shown. @throws UsageError without a terminal */
  askSecret(question: string, otherwise: string): Promise<string> {
    return this.#ask(question, otherwise, false);
  }

  /** Asks for a text, which is shown. @throws UsageError without a terminal */
  ask(question: string, otherwise: string): Promise<string> {
    return this.#ask(question, otherwise, true);
  }

  /**
   * Asks before something is lost. With `isGiven`, such as by `--yes`, nothing is asked.
   * @throws UsageError without a terminal, CliError if the answer is not yes
   */
  async confirm(question: string, isGiven: boolean): Promise<void> {
    if (isGiven) return;
    const answer = await this.ask(`${question} [y/N] `, 'Pass --yes to go on without a question.');
    if (!/^y(?:es)?$/i.test(answer.trim())) throw new CliError('Nothing was changed.');
  }

  /** The standard input as it arrives. */
  get input(): Readable {
    return this.stdin;
  }

  /** The whole standard input. */
  async readInput(): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.stdin as AsyncIterable<Uint8Array>) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** A secret of one line from the standard input, such as a key. */
  async readInputLine(): Promise<string> {
    const text = (await this.readInput()).toString('utf8').trim();
    if (text === '') throw new UsageError('The standard input is empty.');
    return text;
  }

  async #ask(question: string, otherwise: string, isShown: boolean): Promise<string> {
    // The standard input may be the payload, while the terminal is still there.
    const input = this.isInteractive ? (this.stdin as unknown as RawInput) : this.openTty();
    if (!input) throw new UsageError(`There is no terminal to ask on. ${otherwise}`);
    try {
      const line = await readLine(input, this.stderr, printable(question), isShown);
      if (line === undefined) throw new Interrupted();
      return line;
    } finally {
      if (input === (this.stdin as unknown as RawInput)) input.pause();
      else input.destroy();
    }
  }
}

/** The terminal of the process, if it has one. */
function openControllingTerminal(): RawInput | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync('/dev/tty', 'r');
    return new ReadStream(descriptor);
  } catch {
    if (descriptor !== undefined) closeSync(descriptor);
    return undefined;
  }
}
