import { SourceError } from './source-error.js';
import type { UploadedFile, UploadOptions } from './upload-options.js';
import { UploadRun } from './upload-run.js';
import { sourceOf, type Uploadable } from './upload-source.js';
import type { VaultAccess } from './vault-access.js';

/** The largest file of the API. */
const BYTES_MAX = 5_497_558_138_880;

/**
 * Uploads a file in chunks of 50 MiB. Broken connections are retried from the last complete chunk; with a `resume` store, a
 * later call for the same vault, name and content continues too, in another process or after a reload of the page. A source
 * that changes meanwhile is an error before anything of it replaces the former content.
 * @throws ApiError, ConnectionError, SourceError or TransferError
 */
export async function upload(
  vault: VaultAccess,
  content: Uploadable,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const source = sourceOf(content);
  const name = options.name ?? source.name;
  if (name === undefined) throw new TypeError('The file needs a name.');
  if (source.size === 0) throw new SourceError('A vault stores no empty files: 1 byte at least.');
  if (source.size > BYTES_MAX)
    throw new SourceError(`A vault stores files of ${BYTES_MAX} bytes at most; this one has ${source.size}.`);
  const run = new UploadRun(vault, source, name, options);
  const unlock = await run.lock();
  try {
    return await run.run();
  } finally {
    await source.close?.();
    await unlock?.();
  }
}
