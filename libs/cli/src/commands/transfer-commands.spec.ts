import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@vaultsvc/testing/waiting';
import { CliFixture } from '../testing/cli-fixture.js';
import { page, refusal, type Answer, type ReceivedCall } from '../testing/fake-api.js';

let cli: CliFixture;
let temporary: string | undefined;

beforeAll(async () => {
  cli = await CliFixture.start();
  temporary = process.env.TMPDIR;
  process.env.TMPDIR = cli.path('tmp');
  mkdirSync(cli.path('tmp'));
});
beforeEach(() => cli.openVault());
afterAll(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await cli.stop();
});

const INGOT = 'GET /v1/vaults/vlt_1/ingots/ing_1';
const spooled = () => readdirSync(cli.path('tmp'));

/** A vault that accepts an upload; resolves with what Forge has received. */
function acceptUpload(patch?: (call: ReceivedCall) => Answer): () => Buffer {
  let received = Buffer.alloc(0);
  const tus = { 'Tus-Resumable': '1.0.0' };
  cli.api.answers({
    'POST /v1/vaults/vlt_1/ingots': {
      status: 201,
      data: { ingot_id: 'ing_1', forge_url: `${cli.api.url}/tus` },
    },
    'POST /tus': { status: 201, headers: { ...tus, Location: `${cli.api.url}/tus/1` } },
    'PATCH /tus/1':
      patch ??
      ((call) => {
        received = Buffer.concat([received, call.body]);
        return { status: 204, headers: { ...tus, 'Upload-Offset': String(received.length) } };
      }),
    [INGOT]: { data: { status: 'active' } },
  });
  return () => received;
}

describe('vaultsvc upload -', () => {
  const upload = ['upload', 'box', '-', '--name', 'in.bin'];

  it.each([1, 15, 16, 17, 3_000_001])('CLI-08: stores the standard input: %i bytes', async (size) => {
    const received = acceptUpload();
    const input = Buffer.alloc(size, 'vaultsvc!');
    const { code, stdout } = await cli.run(upload, { input });
    expect([code, stdout, spooled()]).toEqual([0, 'ing_1\n', []]);
    expect(received().equals(input)).toBe(true);
  });

  it('CLI-08: calls it stdin without --name', async () => {
    acceptUpload();
    expect(await cli.run('upload box -', { input: 'x' })).toMatchObject({ code: 0 });
    const body = JSON.parse(String(cli.api.calls[0]?.body)) as object;
    expect(body).toMatchObject({ name: 'stdin', size_bytes: 1 });
    expect(body).not.toHaveProperty('modified_at');
  });

  it('CLI-08 CLI-03: needs content, and says so before anything is created', async () => {
    acceptUpload();
    expect(await cli.run(upload)).toMatchObject({ code: 1, stderr: expect.stringContaining('is empty') });
    expect([cli.api.called, spooled()]).toEqual([[], []]);
  });

  it('CLI-08: leaves nothing behind at Ctrl-C, while it reads and while it sends', async () => {
    acceptUpload();
    const reading = new AbortController();
    const input = new PassThrough();
    input.write('secret');
    const running = cli.run(upload, { input, signal: reading.signal });
    await until(async () => input.readableLength === 0);
    reading.abort();
    const stopped = await running;
    expect(stopped).toMatchObject({ code: 130, stderr: expect.stringContaining('was not stored') });
    const sending = new AbortController();
    acceptUpload(() => {
      sending.abort();
      return { status: 500 };
    });
    expect((await cli.run(upload, { input: 'secret', signal: sending.signal })).code).toBe(130);
    expect(spooled()).toEqual([]);
  });
});

describe('vaultsvc download --out -', () => {
  const content = Buffer.from('line\n\u001b[2Jend');
  const ticket = () => ({
    ingot_id: 'ing_1',
    name: 'a',
    content_type: 'text/plain',
    size_bytes: content.length,
    download_url: `${cli.api.url}/istk`,
  });
  const offer = (forge: Answer) =>
    cli.api.answers({
      'POST /v1/vaults/vlt_1/ingots/%3Aa/download': { data: ticket() },
      'GET /istk': forge,
    });

  it('CLI-08: writes the file to the standard output, byte for byte, and no file', async () => {
    offer({ status: 206, raw: content });
    const { code, bytes } = await cli.run('download box a --out -');
    expect([code, bytes.toString()]).toEqual([0, content.toString()]);
    expect((await cli.run('download box a --out -', { isTTY: true })).stdout).toBe('line\n\\x1b[2Jend');
    expect(await cli.run('download box a --out - --json')).toMatchObject({ code: 2, stdout: '' });
  });

  it('CLI-02: follows no redirect, and takes no page for the file', async () => {
    offer({ status: 307, headers: { Location: 'https://evil.test/' } });
    const redirected = await cli.run('download box a --out -');
    expect(redirected.stderr).toContain(`${cli.api.url} redirects to https://evil.test.`);
    offer(page(200));
    const paged = await cli.run('download box a --out -');
    expect(paged).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Something between'),
    });
  });
});

describe('a vault whose token is refused', () => {
  const UNAUTHENTICATED = refusal(401, 'AUTHENTICATION_ERROR', {}, 'Missing or invalid credentials.');
  const vaultIs = (answer: Answer) =>
    cli.api.answers({ '*': UNAUTHENTICATED, 'GET /v1/vaults/vlt_1': answer });

  it.each([
    ['secrets get box shop'],
    ['secrets get box shop KEY'],
    ['secrets set box shop KEY --stdin'],
    ['secrets run box shop -- true'],
    ['download box a'],
    ['vault share box a'],
    ['upload box - --name a'],
  ])('CLI-07: is sealed, which the command says with what to run: %s', async (line) => {
    vaultIs({ data: { status: 'sealed' } });
    const { code, stderr } = await cli.run(line, { input: 'x' });
    expect([code, stderr]).toEqual([
      3,
      expect.stringContaining('The vault is sealed. Run: vaultsvc vault open box'),
    ]);
    expect(stderr).not.toContain('invalid credentials');
    const kept = JSON.parse(readFileSync(cli.path('config/config.json'), 'utf8')) as object;
    expect(JSON.stringify(kept)).not.toContain('vat_1');
  });

  it('CLI-07: may be open for others', async () => {
    vaultIs({ data: { status: 'unsealed' } });
    const { stderr } = await cli.run('secrets get box shop');
    expect(stderr).toMatch(/Your access to the vault has ended.*Run: vaultsvc vault open box/);
  });

  it('CLI-03: is not blamed for an API key that was revoked', async () => {
    vaultIs(UNAUTHENTICATED);
    const { code, stderr } = await cli.run('secrets get box shop');
    expect([code, stderr]).toEqual([3, expect.stringContaining('Missing or invalid credentials.')]);
    expect(stderr).not.toContain('vault open');
  });

  it('CLI-07: is opened by the master key that is kept', async () => {
    await cli.openVault('vmk_1');
    cli.api.answers({
      'POST /v1/vaults/vlt_1/unseal': { data: { vat: 'vat_2', expires_at: 1_900_000_000 } },
    });
    expect((await cli.run('vault open box')).code).toBe(0);
    expect(JSON.parse(String(cli.api.calls[0]?.body))).toMatchObject({ vmk: 'vmk_1' });
  });
});
