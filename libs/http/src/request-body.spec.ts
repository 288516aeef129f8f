import { once } from 'node:events';
import { createServer, request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readBody } from './index.js';

const reserved: number[] = [];
const refuseBeyond = (limit: number) => (bytes: number) => {
  if (reserved.reduce((sum, one) => sum + one, bytes) > limit) throw new Error('exhausted');
  reserved.push(bytes);
};
/** Answers with the length of the body, or with the error. */
const server = createServer((incoming, response) => {
  reserved.length = 0;
  readBody(incoming, response, 1_000, refuseBeyond(600)).then(
    ({ length }) => response.end(String(length)),
    (error: Error) => response.end(error.message),
  );
});
beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
afterAll(() => void server.close());

const open = (headers: Record<string, string> = {}) =>
  request({ port: (server.address() as AddressInfo).port, method: 'POST', headers });
async function answerTo(outgoing: ClientRequest): Promise<string> {
  const [response] = (await once(outgoing, 'response')) as [AsyncIterable<Buffer>];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return Buffer.concat(parts).toString();
}

it('ENV-44: readBody reserves the declared length before a byte arrives', async () => {
  const refused = open({ 'Content-Length': '601' });
  refused.flushHeaders();
  expect(await answerTo(refused)).toBe('exhausted');
  refused.destroy();
  const accepted = open({ 'Content-Length': '600' });
  accepted.end('a'.repeat(600));
  expect([await answerTo(accepted), reserved]).toEqual(['600', [600]]);
});

it('ENV-44: readBody reserves each part of a body without a declared length, and refuses the part that is too much', async () => {
  const accepted = open();
  accepted.write('a'.repeat(300));
  accepted.end('a'.repeat(300));
  expect(await answerTo(accepted)).toBe('600');
  expect(reserved.reduce((sum, one) => sum + one)).toBe(600);
  const refused = open();
  refused.write('a'.repeat(601));
  expect(await answerTo(refused)).toBe('exhausted');
  refused.destroy();
});
