import { once } from 'node:events';
import { request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@vaultsvc/testing/waiting';
import { createOriginServer, readBody, sendResponse } from './index.js';

const BODIES = 8;
const BODY = Buffer.alloc(4 * 1_048_576);
/** Of each of the two connections that read in a turn, Node has a second part under way when it pauses. */
const BYTES_PER_TURN_MAX = 2 * 2 * 65_536;
/** When a response ends, Node resumes its request once (`_dump`): each body then emits the part that it holds. */
const BYTES_AT_END = BODIES * 65_536;

let received: [IncomingMessage, ServerResponse][] = [];
const { server } = createOriginServer(
  (...exchange) => void received.push(exchange),
  { version: '9.9.9', origin: 'https://api.test' },
  {},
);
let port: number;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => void server.close());

/** Starts requests with long bodies, and returns them once the server has their heads. */
async function startRequests() {
  received = [];
  const answers = Array.from({ length: BODIES }, async () => {
    const outgoing = send({ port, host: '127.0.0.1', method: 'POST', agent: false });
    // After its response to a refused request, the server may close before the rest of the body is written.
    outgoing.on('error', () => undefined);
    outgoing.end(BODY);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return response.resume().statusCode;
  });
  await until(async () => received.length === BODIES);
  return answers;
}

/** By their sockets: Node closes no request that the server stopped discarding (after 2 s, when this machine stands still). */
const areClosed = () => received.every(([{ socket }]) => socket.closed);

/** Bytes of each body that are read before it waits for turns, and while it begins to. */
const BYTES_BEFORE = 4 * 65_536;

/** The most bytes that one turn of the event loop reads, of all bodies after their first bytes. */
function watchTurns() {
  let [turn, most] = [0, 0];
  for (const [request] of received) {
    let bytes = 0;
    request.on('data', ({ length }: Buffer) => {
      bytes += length;
      if (bytes > BYTES_BEFORE) turn += length;
    });
  }
  const next = () => {
    most = Math.max(most, turn);
    turn = 0;
    if (!areClosed()) setImmediate(next);
  };
  next();
  return () => most;
}

describe('OPEN-55: eight long bodies that arrive at once', () => {
  it('are read in parts of few bytes, between which other calls run', async () => {
    const answers = await startRequests();
    const most = watchTurns();
    for (const [request, response] of received)
      void readBody(request, response, BODY.length).then((body) =>
        sendResponse(request, response, body.equals(BODY) ? 200 : 500, []),
      );
    expect(await Promise.all(answers)).toEqual(Array.from({ length: BODIES }, () => 200));
    expect(most()).toBeLessThanOrEqual(BYTES_PER_TURN_MAX);
  });

  it('are discarded in parts of few bytes after a refusal', async () => {
    const answers = await startRequests();
    const most = watchTurns();
    for (const [request, response] of received)
      sendResponse(request, response, 429, [], Buffer.from('refused'));
    expect(await Promise.all(answers)).toEqual(Array.from({ length: BODIES }, () => 429));
    await until(async () => areClosed());
    expect(most()).toBeLessThanOrEqual(BYTES_PER_TURN_MAX + BYTES_AT_END);
  });
});
