import { type ClientRequest, request } from 'node:http';
import type { RawResponse } from '@vaultsvc/testing/http';
import { register } from 'prom-client';

/** A PATCH whose body the spec writes piece by piece. */
export interface PendingRequest {
  readonly outgoing: ClientRequest;
  readonly response: Promise<RawResponse>;
}

/** Starts a PATCH; the spec writes and ends its body. */
export function startChunk(
  url: string,
  location: string,
  offset: number,
  headers: Readonly<Record<string, string | string[]>> = {},
): PendingRequest {
  const own = {
    'Tus-Resumable': '1.0.0',
    'Upload-Offset': String(offset),
    'Content-Type': 'application/offset+octet-stream',
  };
  const outgoing = request(url + location, {
    method: 'PATCH',
    headers: { ...own, ...headers },
    agent: false,
  });
  const response = new Promise<RawResponse>((resolve, reject) => {
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(parts) }),
      );
    });
  });
  response.catch(() => undefined); // a spec that closes the connection does not await it
  return { outgoing, response };
}

/** The number of chunks that all instances of a spec receive now. */
export async function receiving(): Promise<number> {
  const { values } = (await register.getSingleMetric('vaultsvc_chunks_receiving')?.get()) ?? { values: [] };
  return values[0]?.value ?? 0;
}
