import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which systems take ports for outgoing connections (32,768 on Linux, 49,152 elsewhere). */
const privateRange = { from: 20_000, to: 32_000 };

/** Where stacks of tests and benches are: away from the servers that come and go beside them. */
const stackRange = { from: 12_000, to: 20_000 };

/** How many ports after `VAULTSVC_PORT` a stack of a test may use, for pages of the test too. */
const STACK_PORTS = 100;

/** Each worker of Jest has a part of its own: between choosing a port and listening there, seconds may go by. */
const parts = 4;

/** By this process, so that nobody in it is given what another one is about to listen on, or listened on before. */
const given = new Set();

/**
 * A port that nobody listens on now. Chosen at random, not in order: test runs beside each other must not meet.
 * @returns {Promise<number>}
 */
export function freePort() {
  return firstFree(privateRange, 1);
}

/**
 * The first of 100 ports for a stack, of which nobody listens on any now.
 * @returns {Promise<number>}
 */
export function freeStackPort() {
  return firstFree(stackRange, STACK_PORTS);
}

/**
 * @param {{ from: number, to: number }} range
 * @param {number} count how many in a row
 */
async function firstFree({ from, to }, count) {
  const size = (to - from) / parts;
  const first = from + (Number(process.env.JEST_WORKER_ID ?? 0) % parts) * size;
  for (;;) {
    const port = first + randomInt(size / count) * count;
    if (given.has(port)) continue;
    given.add(port);
    if (await areFree(port, count)) return port;
  }
}

/**
 * @param {number} port the first of so many on 127.0.0.1
 * @param {number} count
 */
export async function areFree(port, count) {
  const row = Array.from({ length: count }, (_, index) => isPortFree(port + index));
  return (await Promise.all(row)).every(Boolean);
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
