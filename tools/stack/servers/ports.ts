import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral ports of outgoing connections, which start at 32,768 on Linux and 49,152 elsewhere. */
const privateRange = { from: 20_000, to: 32_000 };

/** For stacks of tests and benchmarks; disjoint from the range of single servers. */
const stackRange = { from: 12_000, to: 20_000 };

/** Ports per stack of a test, starting with `VAULTSVC_PORT`; includes ports for the test's own pages. */
const STACK_PORTS = 100;

/** Each Jest worker chooses from its own part of the range, because seconds may pass before a chosen port is in use. */
const parts = 4;

/** Ports already chosen in this process, which are not chosen again. */
const given = new Set<number>();

/** A free port, chosen at random so that parallel test runs do not collide. */
export function freePort(): Promise<number> {
  return firstFree(privateRange, 1);
}

/** The first of 100 consecutive free ports, for a stack. */
export function freeStackPort(): Promise<number> {
  return firstFree(stackRange, STACK_PORTS);
}

/** @param count consecutive ports */
async function firstFree({ from, to }: { from: number; to: number }, count: number) {
  const size = (to - from) / parts;
  const first = from + (Number(process.env.JEST_WORKER_ID ?? 0) % parts) * size;
  for (;;) {
    const port = first + randomInt(size / count) * count;
    if (given.has(port)) continue;
    given.add(port);
    if (await areFree(port, count)) return port;
  }
}

/** @param port the first of the ports on 127.0.0.1 */
export async function areFree(port: number, count: number) {
  const row = Array.from({ length: count }, (_, index) => isPortFree(port + index));
  return (await Promise.all(row)).every(Boolean);
}

/** @param port on 127.0.0.1 */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  const free = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (free) await new Promise((resolve) => server.close(resolve));
  return free;
}
