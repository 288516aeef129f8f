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

const once = async (wish?: TransferOptions) => (await downloads.mint(file, wish)).istk;
const stream = async (wish?: TransferOptions) => (await downloads.stream(file, wish)).istk;
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const send = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${downloads.url}${path}`, { method, headers });

async function refusal(answer: Promise<Response>) {
  const given = await answer;
  const { error } = (await given.json()) as { error: { code: string; details?: { code: string } } };
  return [given.status, error.code, error.details?.code];
}
const codeIn = (body: Buffer) =>
  (JSON.parse(body.toString()) as { error: { details: { code: string } } }).error.details.code;
const unauthorized = (code?: string) => [401, 'AUTHENTICATION_ERROR', code];

describe('FRG-19: a download', () => {
  it('is the content, with headers that say what it is and keep it from being opened or kept', async () => {
    const answer = await downloads.get(
      await once({ contentType: 'text/plain; charset=utf-8', filename: 'Ünter "lagen".txt' }),
    );
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
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
    expect(answer.headers.get('content-range')).toBeNull();
    expect(answer.headers.get('etag')).toBeNull();
    expect((await bytesOf(answer)).equals(content)).toBe(true);
  });

  it.each(['nonsense', 'text/html\r\nSet-Cookie: a=b', ''])(
    'of the type %j is octet-stream',
    async (contentType) => {
      const answer = await downloads.get(await once({ contentType }));
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
      expect(answer.headers.get('set-cookie')).toBeNull();
      await answer.arrayBuffer();
    },
  );

  it('FRG-20: of one range is 206 with Content-Range, beyond the end 416', async () => {
    const istk = await stream();
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=5-', 5, 199_999],
      ['bytes=-3', 199_997, 199_999],
      ['bytes=65535-65536', 65_535, 65_536],
      ['bytes=0-', 0, 199_999],
    ] as const) {
      const answer = await downloads.get(istk, { Range: range });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end}/200000`,
      ]);
      expect(answer.headers.get('content-length')).toBe(String(end - start + 1));
      expect((await bytesOf(answer)).equals(content.subarray(start, end + 1))).toBe(true);
    }
    const beyond = await downloads.get(istk, { Range: 'bytes=200000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */200000']);
    expect(await beyond.json()).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });

  it('of junk, of several ranges and under If-Range is whole', async () => {
    const istk = await stream();
    const whole = [
      { Range: 'bytes=0-1,5-6' },
      { Range: 'pages=1-2' },
      { Range: 'bytes=9-1' },
      { Range: 'bytes=0-0', 'If-Range': '"x"' },
    ];
    for (const headers of whole) {
      const answer = await downloads.get(istk, headers as Record<string, string>);
      expect(answer.status).toBe(200);
      expect((await bytesOf(answer)).equals(content)).toBe(true);
    }
  });
});

describe('who may download', () => {
  it('FRG-18 TRAP 54: the ISTK of the query wins, even when it is bad; a header alone will do', async () => {
    const good = await stream();
    const bad = 'A'.repeat(43);
    expect((await downloads.get(good, { 'X-ISTK': bad })).status).toBe(200);
    expect(await refusal(downloads.get(bad, { 'X-ISTK': good }))).toEqual(unauthorized('ISTK_INVALID'));
    expect(await refusal(downloads.get('', { 'X-ISTK': good }))).toEqual(unauthorized('ISTK_INVALID'));
    expect((await send('/decrypt', { 'X-ISTK': good })).status).toBe(200);
  });

  it('FRG-03 AMB-29: without an ISTK nothing, whatever else is sent; one given twice is none', async () => {
    const good = await stream();
    expect(await refusal(send('/decrypt', { 'X-API-Key': 'vk_live_x' }))).toEqual(unauthorized());
    expect(await refusal(send(`/decrypt?istk=${good}&istk=${good}`))).toEqual(unauthorized('ISTK_INVALID'));
    for (const junk of ['abc', `${good}=`, `${good.slice(0, -1)}!`, '%00'])
      expect(await refusal(downloads.get(junk))).toEqual(unauthorized('ISTK_INVALID'));
  });

  it('FRG-36: an ISTK for uploading downloads nothing, and stays what it is', async () => {
    expect(await refusal(downloads.get(file.istk))).toEqual(unauthorized('ISTK_INVALID'));
    expect(await downloads.sql('SELECT used_at FROM istks WHERE lookup = $1', [file.lookup])).toEqual([
      { used_at: null },
    ]);
  });

  it('FRG-25 TRAP 56: a single-use ISTK is used once, and remembered as used', async () => {
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

  it('TRAP 55 AMB-41: a range uses it up; 416 and HEAD do not', async () => {
    const istk = await once();
    expect((await downloads.get(istk, { Range: 'bytes=200000-' })).status).toBe(416);
    expect((await send(`/decrypt?istk=${istk}`, {}, 'HEAD')).status).toBe(200);
    expect(
      (await bytesOf(await downloads.get(istk, { Range: 'bytes=1-1' }))).equals(content.subarray(1, 2)),
    ).toBe(true);
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_USED'));
  });

  it('FRG-24 TRAP 14 AMB-42: HEAD is 200 for any ISTK or none, and tells nothing of the content', async () => {
    const istk = await once();
    const heads = [
      '/decrypt',
      '/decrypt?istk=x',
      `/decrypt?istk=${istk}`,
      '/progress',
      `/progress?istk=${istk}`,
    ];
    for (const path of heads) {
      const answer = await send(path, {}, 'HEAD');
      expect([path, answer.status]).toEqual([path, 200]);
      for (const name of ['x-ingot-id', 'content-disposition', 'content-range'])
        expect(answer.headers.get(name)).toBeNull();
    }
    expect((await downloads.get(istk)).status).toBe(200);
  });

  it('FRG-26: a single-use ISTK ends after its 24 hours', async () => {
    const { istk, lookup } = await downloads.mint(file);
    await downloads.sql(`UPDATE istks SET expires_at = now() WHERE lookup = $1`, [lookup]);
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_EXPIRED'));
  });

  it('MISC-08 FRG-25: of 50 uses of one at once, on two copies of forge, one wins', async () => {
    const other = originOf(await downloads.harness.start(forge));
    for (let round = 0; round < 5; round += 1) {
      const istk = await once();
      const uses = Array.from({ length: 50 }, async (_, turn) => {
        const answer = await fetch(`${turn % 2 ? other : downloads.url}/decrypt?istk=${istk}`);
        const body = await bytesOf(answer);
        return answer.status === 200 ? body.equals(content) : codeIn(body);
      });
      const outcomes = await Promise.all(uses);
      expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'ISTK_USED')).toHaveLength(49);
    }
  });
});

describe('TRAP 57: a streaming ISTK has three bounds', () => {
  const ago = (lookup: Buffer, interval: string) =>
    downloads.sql(`UPDATE istks SET idle_until = idle_until - $2::interval WHERE lookup = $1`, [
      lookup,
      interval,
    ]);
  const read = async (istk: string, range = 'bytes=0-9') => {
    const answer = await downloads.get(istk, { Range: range });
    await answer.arrayBuffer();
    return answer.status;
  };

  /** The end of a use moves the end of the ISTK too, and comes after the reader's. */
  const settled = (lookup: Buffer, bytes: number) =>
    until(async () => {
      const rows = await downloads.sql('SELECT 1 FROM istks WHERE lookup = $1 AND bytes_told = $2', [
        lookup,
        bytes,
      ]);
      return rows.length === 1;
    });

  it('FRG-27: an hour of rest, from each use on', async () => {
    const { istk, lookup } = await downloads.stream(file);
    for (let turn = 1; turn <= 3; turn += 1) {
      await ago(lookup, '50 minutes');
      expect(await read(istk)).toBe(206);
      await settled(lookup, 10 * turn);
    }
    await ago(lookup, '61 minutes');
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_EXPIRED'));
  });

  it('FRG-28: its end, however it is used', async () => {
    const { istk, lookup } = await downloads.stream(file);
    expect(await read(istk)).toBe(206);
    await downloads.sql(`UPDATE istks SET expires_at = now() WHERE lookup = $1`, [lookup]);
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_EXPIRED'));
  });

  it('FRG-29 OPEN-15: its bytes: the request that reaches the cap is cut there, the next one refused', async () => {
    const { istk } = await downloads.stream(file, { bytesMax: 250_000 });
    expect((await bytesOf(await downloads.get(istk))).equals(content)).toBe(true);
    const cut = await downloads.get(istk);
    expect([cut.status, cut.headers.get('content-length')]).toEqual([200, '200000']);
    await expect(cut.arrayBuffer()).rejects.toThrow();
    expect(await refusal(downloads.get(istk))).toEqual(unauthorized('ISTK_EXHAUSTED'));
  });

  it('FRG-29: of many requests at once none goes beyond the cap', async () => {
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
