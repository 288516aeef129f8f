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
  const created = await fetch(opened.forge_url, {
    method: 'POST',
    headers: { ...TUS, 'Upload-Length': String(content.length) },
  });
  assertStatus(created, 201);
  const upload = new URL(created.headers.get('location') ?? '', opened.forge_url);
  const headers = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  assertStatus(await fetch(upload, { method: 'PATCH', headers, body: content }), 204);
  return opened;
}

function assertStatus({ status }: Response, expected: number): void {
  if (status !== expected) throw new Error(`Forge answered ${status} instead of ${expected}`);
}
