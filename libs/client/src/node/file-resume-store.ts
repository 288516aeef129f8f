import { join } from 'node:path';
import type { ResumableUpload, ResumeStore } from '../transfer/resume-store.js';
import { PrivateFile } from './private-file.js';
import { lockKey, stateName } from './state-folder.js';

/** Resumes uploads after a crash: one file with mode 0600 in the folder for each upload that is not complete. */
export class FileResumeStore implements ResumeStore {
  constructor(private readonly folder: string) {}

  /** A note that cannot be read is that of no upload. */
  async load(key: string): Promise<ResumableUpload | undefined> {
    return this.#file(key)
      .read()
      .catch((error: unknown) => {
        if (error instanceof SyntaxError) return undefined;
        throw error;
      });
  }

  save(key: string, upload: ResumableUpload): Promise<void> {
    return this.#file(key).write(upload);
  }

  remove(key: string): Promise<void> {
    return this.#file(key).remove();
  }

  /** @throws FileError that says which process runs the same upload */
  async lock(key: string): Promise<() => Promise<void>> {
    const lock = await lockKey(this.folder, key, this.folder, 'The same file is being uploaded');
    return () => lock.release();
  }

  #file(key: string): PrivateFile<ResumableUpload> {
    return new PrivateFile(join(this.folder, `upload-${stateName(key)}.json`));
  }
}
