import { setImmediate as othersFirst } from 'node:timers/promises';
import { open } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { ConfigError } from '@vaultsvc/config';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import type { Destination, SafetySource } from './destination.js';

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

const FILE_BYTES_MAX = 64 * 1024 * 1024;
const LINES_NAMED_MAX = 20;

/** The operator's own list: a file that is read at the start and whenever it has changed. */
export class BlocklistFile implements SafetySource {
  readonly #logger = new Logger('url-safety');
  #list: Blocklist | undefined;
  #version = '';

  private constructor(private readonly path: string) {}

  /** @throws ConfigError when the file cannot be read: without it nobody would be warned, and nobody would know. */
  static async open(path: string): Promise<BlocklistFile> {
    const file = new BlocklistFile(path);
    try {
      await file.refresh();
      return file;
    } catch (error) {
      throw new ConfigError([`URL_BLOCKLIST_FILE cannot be read: ${(error as Error).message}`]);
    }
  }

  async check(destination: Destination): Promise<WarningReason | undefined> {
    return this.#list?.lists(destination) ? 'listed' : undefined;
  }

  /** Reads the file if it is another one than before. @throws when it cannot be read; the list stays as it was. */
  async refresh(): Promise<void> {
    const file = await open(this.path);
    try {
      const stat = await file.stat();
      if (!stat.isFile() || stat.size > FILE_BYTES_MAX)
        throw new Error(`it must be a file of at most ${FILE_BYTES_MAX} bytes`);
      const version = `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
      if (version !== this.#version) await this.#take(await file.readFile('utf8'), version);
    } finally {
      await file.close();
    }
  }

  async #take(text: string, version: string): Promise<void> {
    const list = await Blocklist.read(text);
    this.#list = list;
    this.#version = version;
    const { size, brokenLines } = list;
    this.#logger.log({ msg: 'blocklist read', entries: size });
    if (brokenLines.length === 0) return;
    const lines = brokenLines.slice(0, LINES_NAMED_MAX);
    this.#logger.warn({ msg: 'blocklist lines that say nothing', count: brokenLines.length, lines });
  }
}
