import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which systems take ports for outgoing connections (32,768 on Linux, 49,152 elsewhere). */
const privateRange = { from: 20_000, to: 32_000 };

/**
 * A port that nobody listens on now. Chosen at random, not in order: test runs beside each other must not meet.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(privateRange.from, privateRange.to);
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
