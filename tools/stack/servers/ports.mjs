import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which systems take ports for outgoing connections (32,768 on Linux, 49,152 elsewhere). */
const privateRange = { from: 20_000, to: 32_000 };

/** Each worker of Jest has a part of its own: between choosing a port and listening there, seconds may go by. */
const parts = 4;

/** By this process, so that nobody in it is given what another one is about to listen on, or listened on before. */
const given = new Set();

/**
 * A port that nobody listens on now. Chosen at random, not in order: test runs beside each other must not meet.
 * @returns {Promise<number>}
 */
export async function freePort() {
  const { from, to } = privateRange;
  const size = (to - from) / parts;
  const first = from + (Number(process.env.JEST_WORKER_ID ?? 0) % parts) * size;
  for (;;) {
    const port = first + randomInt(size);
    if (given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port)) return port;
  }
}

/**
 * @param {number} port on 127.0.0.1
 * @returns {Promise<boolean>}
 */
export async function isPortFree(port) {
  const server = createServer();
  const free = await new Promise((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}
