import { Agent, request } from 'node:http';
import type { FuzzCall } from './arbitraries.js';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends the call unchanged: fetch would normalize the path and reject or hide the answers of unusual methods. */
export function send(origin: string, call: FuzzCall, apiKey: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const headers: Record<string, string> = {
    ...(call.credential === 'good' && { 'x-api-key': apiKey }),
    ...(call.credential === 'junk' && { 'x-api-key': 'vk_live_junk', authorization: 'Bearer a.b.c' }),
    ...(call.vat !== undefined && { 'x-vault-access-token': call.vat }),
    ...call.browser,
    ...(call.contentType !== undefined && { 'content-type': call.contentType }),
    ...(call.body !== undefined && { 'content-length': String(call.body.length) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      { agent, hostname, port, method: call.method, path: call.path, headers },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString(),
          }),
        );
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(call.body);
  });
}
