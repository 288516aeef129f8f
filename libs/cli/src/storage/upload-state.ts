import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateJson, writePrivateJson } from './private-json-file.js';

/** What identifies an upload: the same file, unchanged, to the same name in the same vault. */
export interface UploadIdentity {
  readonly url: string;
  readonly vault_id: string;
  readonly name: string;
  readonly folder_path?: string;
  readonly path: string;
  readonly size: number;
  readonly mtime_ms: number;
}

/** An unfinished upload. Its URL is a credential. */
export interface UploadState extends UploadIdentity {
  readonly ingot_id: string;
  readonly upload_url: string;
}

/** The files of unfinished uploads, each with mode 0600. They survive a crash of the process. */
export class UploadStates {
  readonly #dir: string;

  constructor(stateDir: string) {
    this.#dir = join(stateDir, 'uploads');
  }

  /** The unfinished upload of this file, or undefined if there is none or the file was changed since. */
  find(identity: UploadIdentity): UploadState | undefined {
    const state = readPrivateJson(this.#pathOf(identity)) as UploadState | undefined;
    const isSame = state?.size === identity.size && state.mtime_ms === identity.mtime_ms;
    return isSame ? state : undefined;
  }

  async save(state: UploadState): Promise<void> {
    await writePrivateJson(this.#pathOf(state), state);
  }

  remove(identity: UploadIdentity): void {
    rmSync(this.#pathOf(identity), { force: true });
  }

  /** Size and time of change are no part of the name, so that a new upload of a changed file replaces the old state. */
  #pathOf({ url, vault_id, name, folder_path = '', path }: UploadIdentity): string {
    const key = JSON.stringify([url, vault_id, folder_path, name, path]);
    return join(this.#dir, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
  }
}
