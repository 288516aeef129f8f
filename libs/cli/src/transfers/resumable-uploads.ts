import type { ResumeStore } from '@vaultsvc/client';
import { FileResumeStore } from '@vaultsvc/client/node';
import { join } from 'node:path';

/**
 * Unfinished uploads, in files with mode 0600 that survive a crash.
 * @param onResume called before an upload continues
 */
export function resumableUploads(stateDir: string, isRestart: boolean, onResume: () => void): ResumeStore {
  const store = new FileResumeStore(join(stateDir, 'uploads'));
  return {
    load: async (key) => {
      const found = isRestart ? undefined : await store.load(key);
      if (found?.uploadUrl !== undefined) onResume();
      return found;
    },
    save: (key, upload) => store.save(key, upload),
    remove: (key) => store.remove(key),
    lock: (key) => store.lock(key),
  };
}
