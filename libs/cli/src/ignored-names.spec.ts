import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from './run-cli.js';

let server: Server;
let configDir: string;
beforeAll(async () => {
  configDir = mkdtempSync(join(tmpdir(), 'vaultsvc-cli-'));
  server = createServer((request, response) => {
    const ignored = request.url?.startsWith('/v1/vaults') ? { 'X-Ignored': 'colour, %1B[2J' } : {};
    response.writeHead(200, { 'Content-Type': 'application/json', ...ignored });
    response.end('{"data":{"vaults":[],"count":0,"has_more":false},"meta":{}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(configDir, { recursive: true });
});

/** Runs a command line with an API that ignores names, and returns what it prints. */
async function run(...words: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = { url, apiKey: 'vk_test', configDir, stateDir: configDir };
  const { signal } = new AbortController();
  const code = await runCli(words, { environment, stdin: Readable.from([]), stdout, stderr, signal });
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

describe('AMB-51: Names that the API ignores', () => {
  it('are printed as a warning on the standard error, without control characters', async () => {
    expect(await run('vault', 'list')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'vaultsvc: warning: the API ignores colour, \u{fffd}[2J of GET /v1/vaults.\n',
      ),
    });
  });

  it('are an object on the standard error with --json, so that both outputs can be parsed', async () => {
    const { code, stdout, stderr } = await run('vault', 'list', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stderr)).toEqual({
      warning: { message: 'the API ignores colour, \u{fffd}[2J of GET /v1/vaults.' },
    });
    expect(JSON.parse(stdout)).toBeDefined();
  });
});
