import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ResumableUpload, ResumeStore } from '../transfer/resume-store.js';
import { PrivateFile } from './private-file.js';

/** Resumes uploads after a crash: one file with mode 0600 in the folder for each upload that is not complete. */
export class FileResumeStore implements ResumeStore {
  constructor(private readonly folder: string) {}

  load(key: string): Promise<ResumableUpload | undefined> {
    return this.#file(key).read();
  }

  save(key: string, upload: ResumableUpload): Promise<void> {
    return this.#file(key).write(upload);
  }

  remove(key: string): Promise<void> {
    return this.#file(key).remove();
  }

  #file(key: string): PrivateFile<ResumableUpload> {
    const name = createHash('sha256').update(key).digest('hex');
    return new PrivateFile(join(this.folder, `upload-${name.slice(0, 32)}.json`));
  }
}
