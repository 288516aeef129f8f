import { GenerateRandomCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@vaultsvc/testing/waiting';

const program = fileURLToPath(new URL('./emulator.ts', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'kms-'));
const running = new Set<ChildProcess>();
let files = 0;

const newFile = () => join(dir, `state-${(files += 1)}.json`);
const grants = join(dir, 'grants.json');
writeFileSync(grants, '{"caller":{"secret":"s3cret","keys":[],"random":true}}', { mode: 0o600 });

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
  const { child, ended } = start('--state', state, '--grants', grants);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const port = /^kms listening on 127\.0\.0\.1:(\d+)\n$/.exec(chunk.toString())?.[1];
  return { child, ended, port, url: `http://127.0.0.1:${port}` };
}

/** One signed call: `'answered'`, or the name of its error. */
async function ask(url: string, abortSignal = new AbortController().signal): Promise<string> {
  const credentials = { accessKeyId: 'caller', secretAccessKey: 's3cret' };
  const client = new KMSClient({ endpoint: url, region: 'us-east-1', credentials, maxAttempts: 1 });
  return client.send(new GenerateRandomCommand({ NumberOfBytes: 1 }), { abortSignal }).then(
    () => 'answered',
    (error: NodeJS.ErrnoException) => error.code ?? error.name,
  );
}

const setFault = (url: string, body: object) =>
  fetch(`${url}/_fault`, { method: 'POST', body: JSON.stringify(body) });
const fault = async (url: string, body: object) => (await setFault(url, body)).status;
const callsNow = async (url: string) =>
  ((await (await fetch(`${url}/_fault`)).json()) as { calls: number }).calls;
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
    const slow = ask(url);
    await until(async () => (await callsNow(url)) === 1);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, stderr: '' });
    expect(await slow).toBe('ECONNRESET');
  });

  it('answers a slow request when the fault changes, and after its delay', async () => {
    const { url } = await startReady(newFile());
    await fault(url, { mode: 'slow', ms: 600_000 });
    const slow = ask(url);
    await until(async () => (await callsBefore(url, { mode: 'slow', ms: 600_000 })) > 0);
    expect(await slow).toBe('answered');
    await fault(url, { mode: 'slow', ms: 100 });
    expect(await ask(url)).toBe('answered');
  });

  it('OPEN-55: answers 421 to a foreign host name that resolves to it (DNS rebinding)', async () => {
    const { port } = await startReady(newFile());
    const asked = request({
      port,
      host: '127.0.0.1',
      path: '/_health',
      headers: { host: 'evil.test' },
    }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(421);
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
    await fault(url, { mode: 'down', times: 2 });
    const four = [await ask(url), await ask(url), await ask(url), await ask(url)];
    expect(four).toEqual(['ECONNRESET', 'ECONNRESET', 'answered', 'answered']);
    expect(await callsBefore(url, { mode: 'down' })).toBe(4);
    expect([await ask(url), await ask(url)]).toEqual(['ECONNRESET', 'ECONNRESET']);
  });

  it('rejects a key file that other users may read', async () => {
    const state = newFile();
    writeFileSync(state, '{}');
    chmodSync(state, 0o644);
    expect(await start('--state', state, '--grants', grants).ended).toEqual({
      code: 1,
      stderr: expect.stringContaining('chmod 600'),
    });
  });

  it('rejects a file of another format without changing it', async () => {
    for (const text of ['', '{}', '{"version":2,"keys":[]}', 'not JSON']) {
      const state = newFile();
      writeFileSync(state, text, { mode: 0o600 });
      expect(await start('--state', state, '--grants', grants).ended).toEqual({
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
    expect((await start('--state', newFile()).ended).stderr).toBe(
      'kms: --grants <file> is required: the callers and what they may do\n',
    );
    expect((await start('--state', newFile(), '--grants', grants, '--port', '70000').ended).stderr).toMatch(
      /^kms: --port must be .*\n$/,
    );
    expect((await start('--state', newFile(), '--grants', grants, '--prot', '1').ended).stderr).toMatch(
      /^kms: .*--prot.*\n$/,
    );
    const { port } = await startReady(newFile());
    const inUse = await start('--state', newFile(), '--grants', grants, '--port', String(port)).ended;
    expect(inUse).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^kms: cannot listen on .*EADDRINUSE.*\n$/),
    });
  });
});
