import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { open } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { ConfigError } from '@vaultsvc/config';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import type { Destination, SafetySource } from './destination.js';

const HASH = /^sha256:((?:[0-9a-f]{2}){4,32})$/;
const HOST_CHARACTERS = /^[^\s/\\?#@:%*[\]]+$/;
/** A host that the URL parser would not change. Most lines are such hosts, and the parser is slow. */
const PLAIN_HOST = /^(?:[a-z0-9_-]+\.)+[a-z]{2,}$/;
const COMMENT = /(?:^|\s)#.*$/;

const LINES_PER_TICK = 5_000;

/**
 * An operator's list. A line is a host, which includes its subdomains, or `sha256:` and, in hex, the first 4 to 32 bytes
 * of the SHA-256 of an expression by Google's "URLs and hashing". `#` starts a comment.
 */
export class Blocklist {
  /** The numbers of malformed lines, from 1. */
  readonly malformedLines: number[] = [];
  readonly #hosts = new Set<string>();
  /** By the length of the prefixes in bytes. */
  readonly #prefixes = new Map<number, Set<string>>();

  private constructor() {}

  /** Yields to the event loop in between: a list may have millions of lines. */
  static async parse(text: string): Promise<Blocklist> {
    const list = new Blocklist();
    let number = 0;
    for (const line of text.split('\n')) {
      number += 1;
      list.#addLine(line.replace(COMMENT, '').trim().toLowerCase(), number);
      if (number % LINES_PER_TICK === 0) await yieldToEventLoop();
    }
    return list;
  }

  /** The number of distinct entries. */
  get size(): number {
    return [...this.#prefixes.values()].reduce((sum, { size }) => sum + size, this.#hosts.size);
  }

  includes({ host, hashes }: Destination): boolean {
    return this.#includesHost(host) || this.#includesHash(hashes);
  }

  #includesHost(host: string): boolean {
    for (let name = host; name !== ''; name = parentOf(name)) if (this.#hosts.has(name)) return true;
    return false;
  }

  #includesHash(hashes: readonly Buffer[]): boolean {
    return [...this.#prefixes].some(([bytes, prefixes]) =>
      hashes.some((hash) => prefixes.has(hash.toString('hex', 0, bytes))),
    );
  }

  #addLine(line: string, number: number): void {
    if (line === '') return;
    const [, prefix] = HASH.exec(line) ?? [];
    const host = prefix === undefined ? hostOf(line) : undefined;
    if (prefix !== undefined) this.#addPrefix(prefix);
    else if (host !== undefined) this.#hosts.add(host);
    else this.malformedLines.push(number);
  }

  #addPrefix(prefix: string): void {
    const bytes = prefix.length / 2;
    this.#prefixes.set(bytes, (this.#prefixes.get(bytes) ?? new Set()).add(prefix));
  }
}

/** The form of a parsed URL, which `BÜCHER.example` and `0x7f.1` are converted to; IPv6 addresses are in brackets. */
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
const LOGGED_LINES_MAX = 20;

/** The operator's blocklist file, read at startup and after each change. */
export class BlocklistFile implements SafetySource {
  readonly #logger = new Logger('url-safety');
  #list: Blocklist | undefined;
  #version = '';

  private constructor(private readonly path: string) {}

  /** @throws ConfigError for an unreadable file, which would silently disable the warnings */
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
    return this.#list?.includes(destination) ? 'listed' : undefined;
  }

  /** Reads the file if it has changed. @throws for an unreadable file; the old list stays in use */
  async refresh(): Promise<void> {
    const file = await open(this.path);
    try {
      const stat = await file.stat();
      if (!stat.isFile() || stat.size > FILE_BYTES_MAX)
        throw new Error(`it must be a file of at most ${FILE_BYTES_MAX} bytes`);
      const version = `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
      if (version !== this.#version) await this.#load(await file.readFile('utf8'), version);
    } finally {
      await file.close();
    }
  }

  async #load(text: string, version: string): Promise<void> {
    const list = await Blocklist.parse(text);
    this.#list = list;
    this.#version = version;
    const { size, malformedLines } = list;
    this.#logger.log({ msg: 'blocklist read', entries: size });
    if (malformedLines.length === 0) return;
    const lines = malformedLines.slice(0, LOGGED_LINES_MAX);
    this.#logger.warn({ msg: 'malformed blocklist lines', count: malformedLines.length, lines });
  }
}
