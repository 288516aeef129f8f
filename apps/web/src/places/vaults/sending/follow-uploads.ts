import type { Kept } from '../../../api/kept.js';
import { waitingFile } from '../../../api/waiting-file.js';
import type { UploadItem } from '../uploads/upload-item.js';
import { isSameStep, stepOf } from './upload-step.js';

/** The uploads of this tab. */
export type Uploads = Pick<Kept<{ readonly items: readonly UploadItem[] }>, 'get' | 'subscribe'>;

let followed: Uploads | undefined;

/** Notes from now on how far the upload of the waiting file is, while other places are looked at, too. */
export function followUploads(uploads: Uploads): void {
  if (followed === uploads) return;
  followed = uploads;
  uploads.subscribe(() => note(uploads.get().items));
}

/** A stored file stays stored when the list of uploads is cleared. */
function note(items: readonly UploadItem[]): void {
  const { file, step } = waitingFile.get();
  if (!file || step.kind === 'stored') return;
  const next = stepOf(file, items);
  if (!isSameStep(step, next)) waitingFile.update({ step: next });
}
