import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Destination } from './destination.js';

const HASH = /^sha256:((?:[0-9a-f]{2}){4,32})$/;
const HOST_CHARACTERS = /^[^\s/\\?#@:%*[\]]+$/;
/** What the parser would not change: most lines are so, and it takes its time. */
const PLAIN_HOST = /^(?:[a-z0-9_-]+\.)+[a-z]{2,}$/;
const COMMENT = /(?:^|\s)#.*$/;

const LINES_AT_ONCE = 5_000;

/**
 * What an operator's list says: one host in a line, whose subdomains are meant too, or the first 4 to 32 bytes of the
 * SHA-256 of a host and path as Google's "URLs and hashing" spells it, in hex. `#` begins a comment.
 */
export class Blocklist {
  /** The lines that say nothing of this, by number, from 1. */
  readonly brokenLines: number[] = [];
  readonly #hosts = new Set<string>();
  /** By the number of bytes that entries have. */
  readonly #prefixes = new Map<number, Set<string>>();

  private constructor() {}

  /** Lets others work in between: lists may have millions of lines. */
  static async read(text: string): Promise<Blocklist> {
    const list = new Blocklist();
    let number = 0;
    for (const line of text.split('\n')) {
      number += 1;
      list.#take(line.replace(COMMENT, '').trim().toLowerCase(), number);
      if (number % LINES_AT_ONCE === 0) await othersFirst();
    }
    return list;
  }

  /** How many different entries there are. */
  get size(): number {
    return [...this.#prefixes.values()].reduce((sum, { size }) => sum + size, this.#hosts.size);
  }

  lists({ host, hashes }: Destination): boolean {
    return this.#listsHost(host) || this.#listsHash(hashes);
  }

  #listsHost(host: string): boolean {
    for (let name = host; name !== ''; name = parentOf(name)) if (this.#hosts.has(name)) return true;
    return false;
  }

  #listsHash(hashes: readonly Buffer[]): boolean {
    return [...this.#prefixes].some(([bytes, prefixes]) =>
      hashes.some((hash) => prefixes.has(hash.toString('hex', 0, bytes))),
    );
  }

  #take(line: string, number: number): void {
    if (line === '') return;
    const [, prefix] = HASH.exec(line) ?? [];
    const host = prefix === undefined ? hostOf(line) : undefined;
    if (prefix !== undefined) this.#addPrefix(prefix);
    else if (host !== undefined) this.#hosts.add(host);
    else this.brokenLines.push(number);
  }

  #addPrefix(prefix: string): void {
    const bytes = prefix.length / 2;
    this.#prefixes.set(bytes, (this.#prefixes.get(bytes) ?? new Set()).add(prefix));
  }
}

/** As a parsed URL shows it, so that `BÜCHER.example` and `0x7f.1` are found; IPv6 addresses stand in brackets. */
function hostOf(line: string): string | undefined {
  if (PLAIN_HOST.test(line)) return line;
  const isHost = HOST_CHARACTERS.test(line) || /^\[[0-9a-f:.]+\]$/.test(line);
  if (!isHost || !URL.canParse(`http://${line}/`)) return undefined;
  return new URL(`http://${line}/`).hostname.replace(/\.+$/, '') || undefined;
}

function parentOf(host: string): string {
  const dot = host.indexOf('.');
  return dot === -1 || host.startsWith('[') ? '' : host.slice(dot + 1);
}
