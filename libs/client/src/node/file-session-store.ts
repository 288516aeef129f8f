import type { SessionStore, SessionTokens } from '../session/session-store.js';
import { withFileLock } from './file-lock.js';
import { PrivateFile } from './private-file.js';

/** A session in a file with mode 0600, shared by the processes of one user: one of them renews it at a time. */
export class FileSessionStore implements SessionStore {
  readonly #file: PrivateFile<SessionTokens>;

  constructor(path: string) {
    this.#file = new PrivateFile(path);
  }

  load(): Promise<SessionTokens | undefined> {
    return this.#file.read();
  }

  save(tokens: SessionTokens): Promise<void> {
    return this.#file.write(tokens);
  }

  clear(): Promise<void> {
    return this.#file.remove();
  }

  lock<T>(change: () => Promise<T>): Promise<T> {
    return withFileLock(`${this.#file.path}.lock`, change);
  }
}
