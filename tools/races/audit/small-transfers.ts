const TUS = { 'Tus-Resumable': '1.0.0' };

/**
 * Uploads a content of one chunk, without retries: an interrupted upload stays open. Returns whether Forge has acknowledged
 * all of it.
 */
export async function upload(forgeUrl: string, bytes: number): Promise<boolean> {
  const created = await attempt(forgeUrl, {
    method: 'POST',
    headers: { ...TUS, 'Upload-Length': String(bytes) },
  });
  const location = created?.headers.get('location');
  if (created?.status !== 201 || !location) return false;
  const headers = { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  const sent = await attempt(new URL(location, forgeUrl), {
    method: 'PATCH',
    headers,
    body: Buffer.alloc(bytes, 'x'),
  });
  return sent?.status === 204;
}

/** Downloads a content, without retries. */
export async function download(url: string): Promise<void> {
  const answer = await attempt(url, {});
  await answer?.arrayBuffer().catch(() => undefined); // Forge counts the bytes that it has sent, complete or not.
}

/** Undefined while Forge is down: the race compares what stands, whatever that is. */
function attempt(url: string | URL, init: RequestInit): Promise<Response | undefined> {
  return fetch(url, init).catch(() => undefined);
}
