import { ApiError } from '@vaultsvc/client';
import type { CliContext } from '../cli-context.js';
import { directFetch } from '../api/direct-fetch.js';
import { CliError } from '../failures.js';
import { withProgress } from './transfer-progress.js';

/** The file of a link. */
export interface LinkedFile {
  /** It works once and is a credential. */
  readonly url: string;
  readonly name: string;
  readonly size: number;
}

/** Downloads the file of a link. It cannot be resumed: the link is consumed, and the URL works once. */
export async function downloadLinkedFile(
  context: CliContext,
  file: LinkedFile,
  save: (content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const { signal } = context;
  await withProgress(context, file.name, 'The link was opened and opens no more.', async (onProgress) => {
    const response = await directFetch(file.url, { signal });
    if (!response.ok || !response.body) throw refusal(response);
    const { body } = response;
    const content = async function* () {
      let bytes = 0;
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
        onProgress({ bytes: (bytes += chunk.length), total: file.size });
        yield chunk;
      }
      // Forge cuts a response off rather than send bytes that it cannot authenticate.
      if (bytes !== file.size) throw new CliError('The download ended early. The link opens no more.');
    };
    await save(content());
  });
}

/** A page is that of a proxy: Forge refuses with JSON. */
function refusal(response: Response): Error {
  const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '');
  return isJson
    ? new CliError(`The download is refused with status ${response.status}.`)
    : ApiError.of(response, undefined);
}
