import type { Readable, Writable } from 'node:stream';

/** A terminal from which keys arrive one by one. */
export interface RawInput extends Readable {
  setRawMode(isRaw: boolean): unknown;
}

const ENTER = new Set(['\r', '\n', '\u0004']);
const INTERRUPT = '\u0003';
const BACKSPACE = new Set(['\u007f', '\b']);
const ERASE_LINE = '\u0015';

/**
 * Reads one line. In raw mode the terminal itself echoes nothing: what was typed is written here, or not at all.
 * @returns undefined if the user pressed Ctrl-C or the terminal was closed
 */
export async function readLine(
  input: RawInput,
  output: Writable,
  question: string,
  isShown: boolean,
): Promise<string | undefined> {
  output.write(question);
  input.setRawMode(true);
  input.setEncoding('utf8');
  const line = new EditedLine();
  try {
    return await new Promise<string | undefined>((resolve) => {
      input.on('data', (keys: string) => {
        for (const key of keys) {
          if (key === INTERRUPT) return resolve(undefined);
          if (ENTER.has(key)) return resolve(line.text);
          const echo = line.type(key);
          if (isShown) output.write(echo);
        }
      });
      input.once('end', () => resolve(undefined));
    });
  } finally {
    input.removeAllListeners('data');
    input.removeAllListeners('end');
    input.setRawMode(false);
    output.write('\n');
  }
}

/** The line so far. */
class EditedLine {
  #characters: string[] = [];

  get text(): string {
    return this.#characters.join('');
  }

  /** Applies a key and returns its echo. */
  type(key: string): string {
    if (BACKSPACE.has(key)) return this.#characters.pop() === undefined ? '' : '\b \b';
    if (key === ERASE_LINE) return '\b \b'.repeat(this.#characters.splice(0).length);
    if (/\p{Cc}/u.test(key)) return '';
    this.#characters.push(key);
    return key;
  }
}
