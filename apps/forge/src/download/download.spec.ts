import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@vaultsvc/testing/waiting';
import { forge } from '../service-definition.js';
import { originOf, startDownloadFixture, type DownloadFixture } from '../testing/download-fixture.js';
import type { MintedTransfer, TransferOptions } from '../testing/transfers.js';

const content = randomBytes(200_000);
let downloads: DownloadFixture;
let file: MintedTransfer;
beforeAll(async () => {
  downloads = await startDownloadFixture();
  file = await downloads.store(content);
});
afterAll(() => downloads.harness.stop());

const once = async (options?: TransferOptions) => (await downloads.mint(file, options)).istk;
const stream = async (options?: TransferOptions) => (await downloads.stream(file, options)).istk;
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${downloads.url}${path}`, { method, headers });

/** The time of the upload as an HTTP date. */
async function modified(): Promise<string> {
  const text = 'SELECT touched_at FROM uploads WHERE version_id = $1';
  const [row] = await downloads.sql<{ touched_at: Date }>(text, [file.versionId]);
  return new Date(row?.touched_at ?? 0).toUTCString();
}

async function refusal(pending: Promise<Response>) {
  const response = await pending;
  const { error } = (await response.json()) as { error: { code: string; details?: { code: string } } };
  return [response.status, error.code, error.details?.code];
}
const codeIn = (body: Buffer) =>
  (JSON.parse(body.toString()) as { error: { details: { code: string } } }).error.details.code;
const unauthorized = (code?: string) => [401, 'AUTHENTICATION_ERROR', code];

describe('FRG-19: GET /decrypt', () => {
  it('sends the content with its type and name, and headers against execution and caching', async () => {
    const response = await downloads.get(
      await once({ contentType: 'text/plain; charset=utf-8', filename: 'Ünter "lagen".txt' }),
    );
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="_nter _lagen_.txt"; filename*=UTF-8''%C3%9Cnter%20%22lagen%22.txt`,
      'content-length': '200000',
      'accept-ranges': 'bytes',
      'x-ingot-id': file.ingotId,
      'cache-control': 'private, no-store',
      'content-security-policy': expect.stringContaining('sandbox'),
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(response.headers.get('content-range')).toBeNull();
    expect(response.headers.get('etag')).toBe(`"${file.versionId}"`);
    expect(response.headers.get('last-modified')).toBe(await modified());
    expect((await bytesOf(response)).equals(content)).toBe(true);
  });

  it.each(['nonsense', 'text/html\r\nSet-Cookie: a=b', ''])(
    'sends the invalid content type %j as octet-stream',
    async (contentType) => {
      const response = await downloads.get(await once({ contentType }));
      expect(response.headers.get('content-type')).toBe('application/octet-stream');
      expect(response.headers.get('set-cookie')).toBeNull();
      await response.arrayBuffer();
    },
  );

  it('FRG-20: answers one range with 206 and Content-Range, a range beyond the end with 416', async () => {
    const istk = await stream();
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=5-', 5, 199_999],
      ['bytes=-3', 199_997, 199_999],
      ['bytes=65535-65536', 65_535, 65_536],
      ['bytes=0-', 0, 199_999],
    ] as const) {
      const response = await downloads.get(istk, { Range: range });
      expect([response.status, response.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end}/200000`,
      ]);
      expect(response.headers.get('content-length')).toBe(String(end - start + 1));
      expect((await bytesOf(response)).equals(content.subarray(start, end + 1))).toBe(true);
    }
    const beyond = await downloads.get(istk, { Range: 'bytes=200000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */200000']);
    expect(await beyond.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });

  it('ignores malformed ranges, several ranges and ranges with the If-Range of another version', async () => {
    const istk = await stream();
    const whole = [
      { Range: 'bytes=0-1,5-6' },
      { Range: 'pages=1-2' },
      { Range: 'bytes=9-1' },
      { Range: 'bytes=0-0', 'If-Range': '"x"' },
    ];
    for (const headers of whole) {
      const response = await downloads.get(istk, headers as Record<string, string>);
      expect(response.status).toBe(200);
      expect((await bytesOf(response)).equals(content)).toBe(true);
    }
  });
});

describe('FRG-38: conditional requests of a download', () => {
  const etag = () => `"${file.versionId}"`;

  it('If-Range: the ETag or the date of the version gives the part, any other the whole', async () => {
    const istk = await stream();
    for (const current of [etag(), await modified()]) {
      const response = await downloads.get(istk, { Range: 'bytes=5-9', 'If-Range': current });
      expect([response.status, response.headers.get('etag')]).toEqual([206, etag()]);
      expect((await bytesOf(response)).equals(content.subarray(5, 10))).toBe(true);
    }
    const others = ['"ver_other"', `W/${etag()}`, new Date(0).toUTCString()];
    for (const other of others) {
      // Not even a range beyond the end is 416, because it is of another content.
      for (const range of ['bytes=5-9', 'bytes=200000-']) {
        const response = await downloads.get(istk, { Range: range, 'If-Range': other });
        expect([response.status, response.headers.get('content-range')]).toEqual([200, null]);
        expect((await bytesOf(response)).equals(content)).toBe(true);
      }
    }
  });

  it('If-None-Match of the version is 304, If-Match of another 412; both leave a single-use ISTK unused', async () => {
    const istk = await once();
    for (const list of [etag(), `W/${etag()}`, '*']) {
      const response = await downloads.get(istk, { 'If-None-Match': list, Range: 'bytes=0-1' });
      expect([response.status, response.headers.get('etag')]).toEqual([304, etag()]);
      expect(response.headers.get('last-modified')).toBe(await modified());
      expect((await bytesOf(response)).length).toBe(0);
    }
    for (const list of ['"ver_other"', `W/${etag()}`])
      expect(await refusal(downloads.get(istk, { 'If-Match': list }))).toEqual([
        412,
        'PRECONDITION_FAILED',
        undefined,
      ]);
    const response = await downloads.get(istk, { 'If-Match': etag(), 'If-None-Match': '"ver_other"' });
    expect([response.status, (await bytesOf(response)).equals(content)]).toEqual([200, true]);
    // An ISTK that cannot be used is refused before the condition (RFC 9110, 13.2.1).
    expect(await refusal(downloads.get(istk, { 'If-None-Match': '*' }))).toEqual(unauthorized('ISTK_USED'));
  });
});

describe('authentication of downloads', () => {
  it('FRG-18 TRAP 54: prefers the ISTK of the query even when it is invalid, and accepts X-ISTK alone', async () => {
    const good = await stream();
    const bad = 'A'.repeat(43);
    expect((await downloads.get(good, { 'X-ISTK': bad })).status).toBe(200);
    expect(await refusal(downloads.get(bad, { 'X-ISTK': good }))).toEqual(unauthorized('ISTK_INVALID'));
    expect(await refusal(downloads.get('', { 'X-ISTK': good }))).toEqual(unauthorized('ISTK_INVALID'));
    expect((await send('/decrypt', { 'X-ISTK': good })).status).toBe(200);
  });

  it('FRG-03 AMB-29: requires exactly one ISTK, whatever other credentials are sent', async () => {
    const good = await stream();
    expect(await refusal(send('/decrypt', { 'X-API-Key': 'vk_live_x' }))).toEqual(unauthorized());
    expect(await refusal(send(`/decrypt?istk=${good}&istk=${good}`))).toEqual(unauthorized('ISTK_INVALID'));
    for (const junk of ['abc', `${good}=`, `${good.slice(0, -1)}!`, '%00'])
      expect(await refusal(downloads.get(junk))).toEqual(unauthorized('ISTK_INVALID'));
  });

  it('FRG-36: refuses an ISTK for an upload, which stays unused', async () => {
    expect(await refusal(downloads.get(file.istk))).toEqual(unauthorized('ISTK_INVALID'));
    expect(await downloads.sql('SELECT used_at FROM istks WHERE lookup = $1', [file.lookup])).toEqual([
      { used_at: null },
    ]);
  });

  it('FRG-25 TRAP 56: accepts a single-use ISTK once, and answers ISTK_USED for 29 days after its end', async () => {
    const { istk, lookup } = await downloads.mint(file);
    expect((await bytesOf(await downloads.get(istk))).equals(content)).toBe(true);
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_USED'));
    await downloads.sql(`UPDATE istks SET expires_at = now() - interval '29 days' WHERE lookup = $1`, [
      lookup,
    ]);
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_USED'));
    const rows = await downloads.sql('SELECT wrapped_key FROM istks WHERE lookup = $1', [lookup]);
    expect(rows).toEqual([{ wrapped_key: null }]);
  });

  it('TRAP 55 AMB-41: consumes a single-use ISTK for a range, but not for 416 or HEAD', async () => {
    const istk = await once();
    expect((await downloads.get(istk, { Range: 'bytes=200000-' })).status).toBe(416);
    expect((await send(`/decrypt?istk=${istk}`, {}, 'HEAD')).status).toBe(200);
    expect(
      (await bytesOf(await downloads.get(istk, { Range: 'bytes=1-1' }))).equals(content.subarray(1, 2)),
    ).toBe(true);
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_USED'));
  });

  it('FRG-24 TRAP 14 AMB-42: answers HEAD with 200 for any ISTK or none, without headers of the content', async () => {
    const istk = await once();
    const [used, expired, revoked, exhausted] = [
      await downloads.mint(file),
      await downloads.mint(file),
      await downloads.stream(file),
      await downloads.stream(file, { bytesMax: 1 }),
    ];
    await bytesOf(await downloads.get(used.istk));
    await bytesOf(await downloads.get(exhausted.istk, { Range: 'bytes=0-0' }));
    const change = (text: string, { lookup }: MintedTransfer) =>
      downloads.sql(`UPDATE istks SET ${text} WHERE lookup = $1`, [lookup]);
    await change('expires_at = now()', expired);
    await change('revoked_at = now(), wrapped_key = NULL', revoked);
    const unusable = [file, used, expired, revoked, exhausted].map((minted) => minted.istk);
    const heads = [
      '/decrypt',
      `/decrypt?istk=${istk}&istk=${istk}`,
      ...['x', '', 'A'.repeat(43), ...unusable].map((text) => `/decrypt?istk=${text}`),
      '/progress',
      `/progress?istk=${istk}`,
      `/encrypt?istk=${istk}`,
    ];
    for (const path of heads) {
      // Not even the condition of a version tells whether there is one.
      const response = await send(
        path,
        { 'If-Match': '"x"', 'X-ISTK': path === '/decrypt' ? 'x' : istk },
        'HEAD',
      );
      expect([path, response.status]).toEqual([path, 200]);
      for (const name of [
        'x-ingot-id',
        'content-disposition',
        'content-range',
        'etag',
        'last-modified',
        'accept-ranges',
      ])
        expect(response.headers.get(name)).toBeNull();
    }
    expect((await downloads.get(istk)).status).toBe(200);
  });

  it('FRG-24 AMB-42: answers HEAD of a valid ISTK with the headers of its download, and consumes, counts and renews nothing', async () => {
    for (const minted of [await downloads.mint(file), await downloads.stream(file)]) {
      const row = () => downloads.sql('SELECT * FROM istks WHERE lookup = $1', [minted.lookup]);
      const before = await row();
      for (const [path, headers] of [
        [`/decrypt?istk=${minted.istk}`, { Range: 'bytes=0-9' }],
        ['/decrypt', { 'X-ISTK': minted.istk }],
      ] as const) {
        const head = await send(path, headers as Record<string, string>, 'HEAD');
        expect([head.status, (await bytesOf(head)).length]).toEqual([200, 0]);
        expect(Object.fromEntries(head.headers)).toMatchObject({
          'content-length': '200000',
          'content-type': 'application/octet-stream',
          'accept-ranges': 'bytes',
          etag: `"${file.versionId}"`,
          'last-modified': await modified(),
        });
        expect(head.headers.get('content-range')).toBeNull();
      }
      const conditional = (headers: Record<string, string>) =>
        send(`/decrypt?istk=${minted.istk}`, headers, 'HEAD');
      expect((await conditional({ 'If-None-Match': '*' })).status).toBe(304);
      expect((await conditional({ 'If-Match': '"ver_other"' })).status).toBe(412);
      expect(await row()).toEqual(before);
      expect(await downloads.sql('SELECT * FROM downloads WHERE lookup = $1', [minted.lookup])).toEqual([]);
      const response = await downloads.get(minted.istk);
      expect((await bytesOf(response)).equals(content)).toBe(true);
    }
  });

  it('FRG-26: refuses a single-use ISTK after its 24 hours', async () => {
    const { istk, lookup } = await downloads.mint(file);
    await downloads.sql(`UPDATE istks SET expires_at = now() WHERE lookup = $1`, [lookup]);
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_EXPIRED'));
  });

  it('MISC-08 FRG-25: accepts one of 50 concurrent uses of an ISTK on two instances', async () => {
    const other = originOf(await downloads.harness.start(forge));
    for (let round = 0; round < 5; round += 1) {
      const istk = await once();
      const uses = Array.from({ length: 50 }, async (_, index) => {
        const response = await fetch(`${index % 2 ? other : downloads.url}/decrypt?istk=${istk}`);
        const body = await bytesOf(response);
        return response.status === 200 ? body.equals(content) : codeIn(body);
      });
      const outcomes = await Promise.all(uses);
      expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'ISTK_USED')).toHaveLength(49);
    }
  });
});

describe('TRAP 57: a streaming ISTK', () => {
  const ago = (lookup: Buffer, interval: string) =>
    downloads.sql(`UPDATE istks SET idle_until = idle_until - $2::interval WHERE lookup = $1`, [
      lookup,
      interval,
    ]);
  const read = async (istk: string, range = 'bytes=0-9') => {
    const response = await downloads.get(istk, { Range: range });
    await response.arrayBuffer();
    return response.status;
  };

  /** Settling a use renews the ISTK too, and happens after the client has all bytes. */
  const settled = (lookup: Buffer, bytes: number) =>
    until(async () => {
      const rows = await downloads.sql('SELECT 1 FROM istks WHERE lookup = $1 AND bytes_told = $2', [
        lookup,
        bytes,
      ]);
      return rows.length === 1;
    });

  it('FRG-27: expires one hour after its last use', async () => {
    const { istk, lookup } = await downloads.stream(file);
    for (let use = 1; use <= 3; use += 1) {
      await ago(lookup, '50 minutes');
      expect(await read(istk)).toBe(206);
      await settled(lookup, 10 * use);
    }
    await ago(lookup, '61 minutes');
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_EXPIRED'));
  });

  it('OPEN-22 FRG-28: that is issued for a link lasts its 12 hours without use, also after a use, and no longer', async () => {
    const half = 43_200;
    const { istk, lookup } = await downloads.stream(file, { ttlSeconds: half, idleSeconds: half });
    await ago(lookup, '11 hours 59 minutes');
    expect(await read(istk)).toBe(206);
    await settled(lookup, 10);
    const other = await downloads.stream(file, { ttlSeconds: half, idleSeconds: half });
    expect(await read(other.istk)).toBe(206);
    await settled(other.lookup, 10);
    await ago(other.lookup, '11 hours 59 minutes');
    expect(await read(other.istk)).toBe(206);
    await downloads.sql(`UPDATE istks SET expires_at = now() WHERE lookup = $1`, [other.lookup]);
    expect(await refusal(downloads.get(other.istk))).toEqual(unauthorized('ISTK_EXPIRED'));
  });

  it('FRG-28: expires at its absolute end despite recent use', async () => {
    const { istk, lookup } = await downloads.stream(file);
    expect(await read(istk)).toBe(206);
    await downloads.sql(`UPDATE istks SET expires_at = now() WHERE lookup = $1`, [lookup]);
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_EXPIRED'));
  });

  it('FRG-29: never exceeds its byte cap under concurrent requests', async () => {
    const { istk, lookup } = await downloads.stream(file, { bytesMax: 1_000 });
    const reads = await Promise.all(
      Array.from({ length: 40 }, () => read(istk, 'bytes=0-99').catch(() => 0)),
    );
    expect(reads.filter((status) => status === 206)).toHaveLength(10);
    const [row] = await downloads.sql<{ bytes_moved: number }>(
      'SELECT bytes_moved FROM istks WHERE lookup = $1',
      [lookup],
    );
    expect(row).toEqual({ bytes_moved: 1_000 });
  });
});
