import { open } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { ConfigError } from '@vaultsvc/config';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import { Blocklist } from './blocklist.js';
import type { Destination } from './destination.js';
import type { SafetySource } from './safety-source.js';

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
