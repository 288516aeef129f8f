import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { areFree, freePort, freeStackPort } from './ports.ts';

const MANY = 400;

/** The ports that another Jest worker chooses. */
async function portsOfWorker(id: number): Promise<number[]> {
  const program = `import { freePort } from './tools/stack/servers/ports.ts';
    console.log(JSON.stringify(await Promise.all(Array.from({ length: ${MANY} }, freePort))))`;
  const env = { ...process.env, NODE_OPTIONS: '', JEST_WORKER_ID: String(id) };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env,
  });
  return JSON.parse(stdout) as number[];
}

describe('freePort', () => {
  it('returns each port once, even before a server listens on it', async () => {
    const ports = await Promise.all(Array.from({ length: MANY }, freePort));
    expect(new Set(ports).size).toBe(MANY);
  });

  it('returns different ports in each Jest worker', async () => {
    const [one, other] = await Promise.all([portsOfWorker(1), portsOfWorker(2)]);
    expect(new Set([...one, ...other]).size).toBe(2 * MANY);
  });
});

describe('freeStackPort', () => {
  it('returns the first of a hundred ports, outside of other stacks and the range of freePort', async () => {
    const firsts = await Promise.all(Array.from({ length: 10 }, freeStackPort));
    expect(new Set(firsts).size).toBe(10);
    for (const port of firsts) expect([port % 100, port < 20_000]).toEqual([0, true]);
  });

  it('returns a port only if all hundred are free', async () => {
    const first = await freeStackPort();
    expect(await areFree(first, 100)).toBe(true);
    const server = createServer().listen(first + 99, '127.0.0.1');
    await once(server, 'listening');
    expect(await areFree(first, 100)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  });
});
