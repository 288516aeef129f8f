import { succeeded, type ApiResponse } from '@vaultsvc/testing/http';

/** The fields of an upload's reply that the upload needs. */
interface OpenedUpload {
  readonly forge_url: string;
}

const TUS = { 'Tus-Resumable': '1.0.0' };

/** Uploads a content of one chunk without a tus client, which could hide an answer of Forge. */
export async function uploadContent<T extends OpenedUpload>(
  answer: ApiResponse<T>,
  content: Buffer,
): Promise<T> {
  const opened = succeeded(answer);
  await sendContent(opened.forge_url, content);
  return opened;
}

/** Sends a content of one chunk to an upload that was opened. */
export async function sendContent(forgeUrl: string, content: Buffer): Promise<void> {
  const created = await fetch(forgeUrl, {
    method: 'POST',
    headers: { ...TUS, 'Upload-Length': String(content.length) },
  });
  assertStatus(created, 201);
  const upload = new URL(created.headers.get('location') ?? '', forgeUrl);
  const headers = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  assertStatus(await fetch(upload, { method: 'PATCH', headers, body: content }), 204);
}

function assertStatus({ status }: Response, expected: number): void {
  if (status !== expected) throw new Error(`Forge answered ${status} instead of ${expected}`);
}
