import { isUtf8 } from 'node:buffer';
import { visible } from './printable.js';

/** Makes bytes from others fit for a terminal: text as it is, controls and bytes that are no UTF-8 written out. */
export class TerminalText {
  #rest = Buffer.alloc(0);
  #isChanged = false;

  /** Whether something was written out. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** The text of the next bytes. The beginning of a character, or of a line end, is kept for the next call. */
  push(bytes: Uint8Array): string {
    const all = Buffer.concat([this.#rest, bytes]);
    const length = all.length - pendingBytes(all);
    this.#rest = all.subarray(length);
    return this.#shown(all.subarray(0, length));
  }

  /** The text of what is left. */
  end(): string {
    const shown = this.#shown(this.#rest);
    this.#rest = Buffer.alloc(0);
    return shown;
  }

  #shown(bytes: Buffer): string {
    const raw = isUtf8(bytes) ? bytes.toString('utf8') : undefined;
    const shown = raw === undefined ? shownBytes(bytes) : visible(raw);
    this.#isChanged ||= shown !== raw;
    return shown;
  }
}

function pendingBytes(bytes: Buffer): number {
  if (bytes.at(-1) === 0x0d) return 1;
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const length = sequenceLength(bytes[bytes.length - back] ?? 0);
    if (length > 0) return length > back ? back : 0;
  }
  return 0;
}

/** Valid sequences as text, other bytes as `\xff`. */
function shownBytes(bytes: Buffer): string {
  let [shown, text] = ['', ''];
  for (let i = 0; i < bytes.length;) {
    const sequence = bytes.subarray(i, i + Math.max(1, sequenceLength(bytes[i] ?? 0)));
    const isText = isUtf8(sequence);
    i += isText ? sequence.length : 1;
    if (isText) text += sequence.toString('utf8');
    else {
      shown += `${visible(text)}\\x${sequence.subarray(0, 1).toString('hex')}`;
      text = '';
    }
  }
  return shown + visible(text);
}

/** The length of a sequence by its first byte; 0 for a byte that begins none. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
