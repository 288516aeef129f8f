import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@vaultsvc/testing/waiting';

const program = fileURLToPath(new URL('./emulator.mjs', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'kms-'));
const running = new Set<ChildProcess>();
let files = 0;

const newFile = () => join(dir, `state-${(files += 1)}.json`);

function start(...args: string[]) {
  const child = spawn(process.execPath, [program, ...args]);
  running.add(child);
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child);
    return { code: code as number | null, stderr };
  });
  return { child, ended };
}

/** Starts on a free port and returns the address that it prints when it is ready. */
async function startReady(state: string) {
  const { child, ended } = start('--state', state);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const port = /^kms listening on 127\.0\.0\.1:(\d+)\n$/.exec(chunk.toString())?.[1];
  return { child, ended, port, url: `http://127.0.0.1:${port}` };
}

const setFault = (url: string, body: object) =>
  fetch(`${url}/_fault`, { method: 'POST', body: JSON.stringify(body) });
const fault = async (url: string, body: object) => (await setFault(url, body)).status;
/** Sets a fault and returns the number of operations since the previous one. */
async function callsBefore(url: string, body: object): Promise<number> {
  return ((await (await setFault(url, body)).json()) as { before: { calls: number } }).before.calls;
}

afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('OPEN-45: the KMS emulator as a process', () => {
  it('prints its address, stores its keys in a file of mode 0600, and leaves no temporary file', async () => {
    const state = newFile();
    const { port } = await startReady(state);
    expect(Number(port)).toBeGreaterThan(0);
    expect(statSync(state).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir).filter((name) => name.includes('draft'))).toEqual([]);
  });

  it('keeps the same keys after a restart', async () => {
    const state = newFile();
    const first = await startReady(state);
    const text = readFileSync(state, 'utf8');
    first.child.kill('SIGTERM');
    await first.ended;
    await startReady(state);
    expect(readFileSync(state, 'utf8')).toBe(text);
  });

  it('exits immediately with code 0 on SIGTERM, even during a slow request', async () => {
    const { child, ended, url } = await startReady(newFile());
    expect(await fault(url, { mode: 'slow', ms: 600_000 })).toBe(200);
    const headers = { 'x-amz-target': 'TrentService.GenerateRandom' };
    const slow = fetch(url, { method: 'POST', headers, body: '{"NumberOfBytes":1}' }).catch(() => 'cut');
    expect((await fetch(`${url}/_health`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, stderr: '' });
    expect(await slow).toBe('cut');
  });

  it('answers a slow request when the fault changes, and after its delay', async () => {
    const { url } = await startReady(newFile());
    const headers = { 'x-amz-target': 'TrentService.GenerateRandom' };
    const ask = () => fetch(url, { method: 'POST', headers, body: '{"NumberOfBytes":1}' });
    await fault(url, { mode: 'slow', ms: 600_000 });
    const slow = ask();
    await until(async () => (await callsBefore(url, { mode: 'slow', ms: 600_000 })) > 0);
    expect((await slow).status).toBe(200);
    await fault(url, { mode: 'slow', ms: 100 });
    expect((await ask()).status).toBe(200);
  });

  it('rejects invalid faults', async () => {
    const { url } = await startReady(newFile());
    for (const body of [{}, { mode: 'off' }, { mode: 'slow', ms: -1 }, { mode: 'slow', ms: '5' }]) {
      expect(await fault(url, body)).toBe(400);
    }
    for (const times of [0, -1, 1.5, '1', null]) expect(await fault(url, { mode: 'down', times })).toBe(400);
    expect(await fault(url, { mode: 'slow', times: 1 })).toBe(400);
  });

  it('drops the given number of calls, or all calls until the fault changes', async () => {
    const { url } = await startReady(newFile());
    const headers = { 'x-amz-target': 'TrentService.GenerateRandom' };
    const ask = () =>
      fetch(url, { method: 'POST', headers, body: '{"NumberOfBytes":1}' }).then(
        ({ status }) => status,
        () => 'cut',
      );
    await fault(url, { mode: 'down', times: 2 });
    expect([await ask(), await ask(), await ask(), await ask()]).toEqual(['cut', 'cut', 200, 200]);
    expect(await callsBefore(url, { mode: 'down' })).toBe(4);
    expect([await ask(), await ask(), await ask()]).toEqual(['cut', 'cut', 'cut']);
  });

  it('rejects a key file that other users may read', async () => {
    const state = newFile();
    writeFileSync(state, '{}');
    chmodSync(state, 0o644);
    expect(await start('--state', state).ended).toEqual({
      code: 1,
      stderr: expect.stringContaining('chmod 600'),
    });
  });

  it('rejects a file of another format without changing it', async () => {
    for (const text of ['', '{}', '{"version":2,"keys":[]}', 'not JSON']) {
      const state = newFile();
      writeFileSync(state, text, { mode: 0o600 });
      expect(await start('--state', state).ended).toEqual({
        code: 1,
        stderr: expect.stringContaining(state),
      });
      expect(readFileSync(state, 'utf8')).toBe(text);
    }
  });

  it('reports an invalid argument or a port in use in one line', async () => {
    expect((await start().ended).stderr).toBe(
      'kms: --state <file> is required: the file that keeps the master keys\n',
    );
    expect((await start('--state', newFile(), '--port', '70000').ended).stderr).toMatch(
      /^kms: --port must be .*\n$/,
    );
    expect((await start('--state', newFile(), '--prot', '1').ended).stderr).toMatch(/^kms: .*--prot.*\n$/);
    const { port } = await startReady(newFile());
    const inUse = await start('--state', newFile(), '--port', String(port)).ended;
    expect(inUse).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^kms: cannot listen on .*EADDRINUSE.*\n$/),
    });
  });
});
