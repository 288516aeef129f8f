import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateJson, writePrivateJson } from './private-json-file.js';

/** The content of a partial file: another version of the ingot cannot continue it. */
export interface DownloadState {
  readonly url: string;
  readonly vault_id: string;
  readonly ingot_id: string;
  readonly size_bytes: number;
  readonly updated_at: number;
}

/** What is known of partial files, so that a download is resumed with the same content only. */
export class DownloadStates {
  readonly #dir: string;

  constructor(stateDir: string) {
    this.#dir = join(stateDir, 'downloads');
  }

  /** Whether the partial file has the beginning of this content. */
  matches(part: string, expected: DownloadState): boolean {
    return JSON.stringify(readPrivateJson(this.#pathOf(part))) === JSON.stringify(expected);
  }

  async save(part: string, state: DownloadState): Promise<void> {
    await writePrivateJson(this.#pathOf(part), state);
  }

  remove(part: string): void {
    rmSync(this.#pathOf(part), { force: true });
  }

  #pathOf(part: string): string {
    return join(this.#dir, `${createHash('sha256').update(part).digest('hex').slice(0, 32)}.json`);
  }
}
