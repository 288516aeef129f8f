import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-start-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

async function start(
  settings: NodeJS.ProcessEnv,
  ...args: string[]
): Promise<{ code: number; errors: string }> {
  const env = { ...process.env, VAULTSVC_DIR: join(folder, 'state'), ...settings };
  const child = spawn(process.execPath, ['tools/stack/start.mjs', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (data) => (errors += data));
  const code = await new Promise<number>((resolve) => child.on('close', resolve));
  return { code, errors };
}

describe('npm start', () => {
  it('reports a port in use with its process and a command with other ports, and leaves no files', async () => {
    // The first port that a start checks.
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, errors } = await start({ VAULTSVC_PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(errors).toMatch(
      new RegExp(
        `Port ${port} \\(gateway\\) is in use by .*\\(pid ${process.pid}\\)\\. .*VAULTSVC_PORT=\\d+ npm start`,
      ),
    );
    expect(readdirSync(join(folder, 'state')).sort()).toEqual(['audit-log', 'logs', 'objects']);
  });

  it.each(['0', '-1', '80.5', 'http', '65500'])('rejects VAULTSVC_PORT=%s with its name', async (port) => {
    const { code, errors } = await start({ VAULTSVC_PORT: port });
    expect({ code, errors: errors.trim() }).toEqual({
      code: 1,
      errors: expect.stringMatching(/^VAULTSVC_PORT must be an integer from 1 to \d+, not "/),
    });
  });

  it('rejects an unknown argument', async () => {
    const { code, errors } = await start({}, '--frehs');
    expect({ code, errors: errors.trim() }).toEqual({
      code: 1,
      errors: expect.stringMatching(/^Unknown argument --frehs\. Known: --fresh/),
    });
  });
});
