import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, send } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { fixtureGateway, fixtureSettings, linkUrlOf, newApiKey } from '../testing/gateway-fixture.js';

const MEBIBYTE = 1_048_576;
const PROCESS_BYTES = 64 * MEBIBYTE;
const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;
let linkUrl: string;

beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  const settings = { ...fixtureSettings, BODY_BYTES_IN_FLIGHT_MAX: String(PROCESS_BYTES) };
  const gateway = await harness.start(fixtureGateway, settings);
  url = urlOf(gateway);
  linkUrl = linkUrlOf(gateway, 'link');
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Sends the head of a request alone, and resolves with the first bytes of the answer. */
async function sendHead(target: string, headers: Record<string, string>): Promise<[Socket, string]> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write([`POST ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return [socket, answer.toString()];
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const expecting = (bytes: number) => ({ Expect: '100-continue', 'Content-Length': String(bytes) });
const withKey = (key = newApiKey(fakes).key) => ({ 'X-API-Key': key });

describe('OPEN-06 ENV-20: the structural characters of a body', () => {
  const widgetWith = (members: number) => `{"text":"a","more":[${'1,'.repeat(members - 1)}1]}`;
  const post = (body: string, target = '/v1/widgets') =>
    api(url, { key: newApiKey(fakes).key }).send({ method: 'POST', target, body });

  it('are at most 8,192; beyond it the response is 400 with the limit', async () => {
    expect(await post(widgetWith(8_192 - 4))).toMatchObject({ status: 201 });
    expect(await post(widgetWith(8_192 - 3))).toMatchObject({
      status: 400,
      error: {
        code: 'VALIDATION_ERROR',
        details: {
          fields: [
            { field: '', message: 'must have at most 8,192 of the characters { [ : , outside strings' },
          ],
        },
      },
    });
  });

  it('are at most 65,536 for structured ingots', async () => {
    const valuesWith = (members: number) => `{"name":"a","data":{"k":[${'1,'.repeat(members - 1)}1]}}`;
    expect(await post(valuesWith(65_536 - 6), '/v1/kept-widgets')).toMatchObject({ status: 200 });
    expect(await post(valuesWith(65_536 - 5), '/v1/kept-widgets')).toMatchObject({ status: 400 });
  });

  it('do not count in a string: a secret of 256,000 bytes of JSON text passes', async () => {
    const secret = `[${'{"a":"[,"},'.repeat(23_270)}{}]`;
    expect(secret.length).toBeGreaterThan(255_900);
    expect(await post(JSON.stringify({ text: secret }))).toMatchObject({
      status: 201,
      data: { text: secret },
    });
  });
});

describe('AMB-13: the body of an operation with a vault token and a cap over 256 KiB', () => {
  const target = () => `/v1/vaults/${newId('vlt_')}/widgets`;

  it('is not read with a vault token that is not valid', async () => {
    const head = { ...withKey(), 'X-Vault-Access-Token': 'unknown', ...expecting(2 * MEBIBYTE) };
    const [, answer] = await sendHead(target(), head);
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('does not reach the service when the vault is sealed while the body arrives', async () => {
    const body = '{"text":"late"}';
    const head = { ...withKey(), 'X-Vault-Access-Token': 'sealed-later', ...expecting(body.length) };
    const [socket, answer] = await sendHead(target(), head);
    expect(answer).toBe(CONTINUE);
    fakes.endedVats.add('sealed-later');
    socket.write(body);
    const [refusal] = (await once(socket, 'data')) as [Buffer];
    expect(refusal.toString()).toMatch(/^HTTP\/1\.1 401 /);
    expect(fakes.calls.filter(({ input }) => (input as { text?: string }).text === 'late')).toEqual([]);
  });
});

describe('ENV-44: the bytes of bodies in flight', () => {
  const structured = 7 * MEBIBYTE;
  const keep = (headers: Record<string, string>) =>
    sendHead('/v1/kept-widgets', { ...headers, ...expecting(structured) });
  const kept = (key: string) =>
    send(url, {
      method: 'POST',
      target: '/v1/kept-widgets',
      headers: { ...withKey(key), 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'a', data: { k: 'v'.repeat(structured - 100) } }),
    });

  it('of an account are at most a quarter of those of the process; beyond it 429, until a body is done with', async () => {
    const { key } = newApiKey(fakes);
    const held = [await keep(withKey(key)), await keep(withKey(key))];
    expect(held.map(([, answer]) => answer)).toEqual([CONTINUE, CONTINUE]);
    const refused = await kept(key);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(JSON.parse(refused.body.toString())).toMatchObject({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        details: { limit: PROCESS_BYTES / 4, used: 2 * structured, resets_at: expect.any(Number) },
      },
    });
    expect((await kept(newApiKey(fakes).key)).status).toBe(200);
    held[0]?.[0].destroy();
    const freed = await eventually(
      () => kept(key),
      ({ status }) => status !== 429,
    );
    expect(freed.status).toBe(200);
  });

  it('are counted until the service has replied', async () => {
    const { key } = newApiKey(fakes);
    const waits: (() => void)[] = [];
    fakes.beforeAnswer = () => new Promise((resolve) => waits.push(resolve));
    const bodyOf = (text: string) => JSON.stringify({ text, more: 'v'.repeat(2 * MEBIBYTE - 100) });
    const post = (text: string) =>
      send(url, {
        method: 'POST',
        target: '/v1/widgets',
        headers: { ...withKey(key), 'Content-Type': 'application/json' },
        body: bodyOf(text),
      });
    const held = Array.from({ length: 8 }, () => post('held'));
    await eventually(
      async () => waits.length,
      (count) => count === 8,
    );
    expect((await post('a')).status).toBe(429);
    for (const release of waits) release();
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect((await post('a')).status).toBe(201);
  });

  it('of an address without an account are at most a sixteenth, and link pages count there too', async () => {
    const bytes = 64 * 1_024;
    const count = PROCESS_BYTES / 16 / bytes;
    const open = () => sendHead('/v1/open-widgets', expecting(bytes));
    const held = await Promise.all(Array.from({ length: count }, open));
    expect(held.filter(([, answer]) => answer !== CONTINUE)).toEqual([]);
    expect((await open())[1]).toMatch(/^HTTP\/1\.1 429 [^]*Retry-After: 1\r\n/);
    const opening = { method: 'POST', target: '/0123456789abcdefghijkl/open', body: '{}' };
    const visitor = { ...opening, headers: { 'Content-Type': 'application/json' } };
    expect((await send(linkUrl, visitor)).status).toBe(429);
    expect((await kept(newApiKey(fakes).key)).status).toBe(200);
  });
});
