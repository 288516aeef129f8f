import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { areFree, freePort, freeStackPort } from './ports.mjs';

const MANY = 400;

/** What another worker of Jest is given. */
async function portsOfWorker(id: number): Promise<number[]> {
  const program = `import { freePort } from './tools/stack/servers/ports.mjs';
    console.log(JSON.stringify(await Promise.all(Array.from({ length: ${MANY} }, freePort))))`;
  const env = { ...process.env, NODE_OPTIONS: '', JEST_WORKER_ID: String(id) };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
    env,
  });
  return JSON.parse(stdout) as number[];
}

describe('A port for a server of a test', () => {
  it('is given once, though nobody listens there yet', async () => {
    const ports = await Promise.all(Array.from({ length: MANY }, freePort));
    expect(new Set(ports).size).toBe(MANY);
  });

  it('is given by one worker of a run alone', async () => {
    const [one, other] = await Promise.all([portsOfWorker(1), portsOfWorker(2)]);
    expect(new Set([...one, ...other]).size).toBe(2 * MANY);
  });
});

describe('The ports of a stack of a test', () => {
  it('are a hundred in a row, of no other stack and of no server of a test', async () => {
    const firsts = await Promise.all(Array.from({ length: 10 }, freeStackPort));
    expect(new Set(firsts).size).toBe(10);
    for (const port of firsts) expect([port % 100, port < 20_000]).toEqual([0, true]);
  });

  it('are free, every one of them', async () => {
    const first = await freeStackPort();
    expect(await areFree(first, 100)).toBe(true);
    const server = createServer().listen(first + 99, '127.0.0.1');
    await once(server, 'listening');
    expect(await areFree(first, 100)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
  });
});
