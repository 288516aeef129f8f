import { describe, expect, it } from '@jest/globals';
import { AppError, decode } from '@vaultsvc/contracts';
import { CreatedSpark } from '@vaultsvc/contracts/sparks';
import { accountContext, outboxEvents } from '@vaultsvc/testing/harness';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });

const caller = accountContext();
const create = (body: object, context = caller) => platform.create(body, context);
/** The public error code, whether the contract or the service rejects. */
const errorCodeOf = async (body: object, context = caller) => {
  try {
    await create(body, context);
    return 'no error';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
};
const readBack = async (body: object) => platform.read((await create(body)).spark_id, caller);

describe('the response of POST /v1/sparks', () => {
  it('SPK-15 ENV-18: has only the declared fields, no payload, and no link for a plain Spark', async () => {
    const created = await create({ payload: 'a secret' });
    expect(Object.keys(created).sort()).toEqual([
      'created_at',
      'expires_at',
      'size_bytes',
      'spark_id',
      'status',
      'ttl_minutes',
    ]);
    expect(created.spark_id).toMatch(/^spk_[0-9A-Za-z]{22}$/);
    expect(created).toMatchObject({ size_bytes: 8, status: 'active' });
    expect(decode(CreatedSpark, created)).toMatchObject(created);
  });

  it('SPK-03 SPK-04: has an expiry after exactly 1,440 minutes by default', async () => {
    const [whole, short] = await Promise.all([
      create({ payload: 'x' }),
      create({ payload: 'x', ttl_minutes: 7 }),
    ]);
    expect(whole).toMatchObject({ ttl_minutes: 1_440, expires_at: whole.created_at + 86_400 });
    expect(short).toMatchObject({ ttl_minutes: 7, expires_at: short.created_at + 420 });
  });

  it('SPK-12: has a filename only if the request has one', async () => {
    expect(await create({ payload: 'x', filename: 'kéy.pem' })).toHaveProperty('filename', 'kéy.pem');
    expect(await create({ payload: 'x', filename: null })).not.toHaveProperty('filename');
  });
});

describe('SPK-01 SPK-02 AMB-12: the limit of 256,000 bytes', () => {
  it('counts the bytes of UTF-8, not characters', async () => {
    expect(await create({ payload: 'a'.repeat(256_000) })).toMatchObject({ size_bytes: 256_000 });
    expect(await errorCodeOf({ payload: 'a'.repeat(256_001) })).toBe('PAYLOAD_TOO_LARGE');
    expect(await create({ payload: 'é'.repeat(128_000) })).toMatchObject({ size_bytes: 256_000 });
    expect(await errorCodeOf({ payload: 'é'.repeat(130_000) })).toBe('PAYLOAD_TOO_LARGE');
  });

  it('SPK-07: counts the base64 text of binary content, whose size is the decoded one', async () => {
    const content_type = 'application/octet-stream';
    expect(await create({ payload: 'A'.repeat(256_000), content_type })).toMatchObject({
      size_bytes: 192_000,
    });
    expect(await errorCodeOf({ payload: 'A'.repeat(256_004), content_type })).toBe('PAYLOAD_TOO_LARGE');
    expect(await create({ payload: 'AAEC', content_type })).toMatchObject({ size_bytes: 3 });
  });
});

describe('SPK-03 SPK-12 SPK-14: POST /v1/sparks rejects with 400', () => {
  it.each([
    { ttl_minutes: 0 },
    { ttl_minutes: 1_441 },
    { ttl_minutes: 1.5 },
    { ttl_minutes: '10' },
    { ttl_minutes: null },
    { payload: undefined },
    { payload: null },
    { payload: 5 },
    { payload: '\ud800' },
    { content_type: 'text' },
    { content_type: 'text/plain; charset' },
    { content_type: 'text/plain; charset=ü' },
    { content_type: 'text/*' },
    { content_type: 'text/plain\r\nx: y' },
    { filename: '' },
    { filename: 'a\u202egpj.exe' },
    { with_kindling: 'true' },
    { kindling: 'spk_0123456789abcdefghijkl' },
    { kindling: 'kdl_short' },
    { bound_ip: '192.0.2.1' },
  ])('%j', async (fields) => {
    expect(await errorCodeOf({ payload: 'x', ...fields })).toBe('VALIDATION_ERROR');
  });

  it('a content type or filename of more than 255 characters', async () => {
    expect(await errorCodeOf({ payload: 'x', content_type: `text/${'a'.repeat(251)}` })).toBe(
      'VALIDATION_ERROR',
    );
    expect(await errorCodeOf({ payload: 'x', filename: 'a'.repeat(256) })).toBe('VALIDATION_ERROR');
  });
});

describe('SPK-05 SPK-06: the payload', () => {
  it.each([
    'text/plain',
    'Text/Plain; charset=utf-8',
    'text/plain;',
    'TEXT/HTML',
    'text/csv; header="present; really"',
    'application/json',
    'Application/JSON ; q=1',
    'application/xml',
    'application/javascript',
    'application/problem+json',
    'image/svg+xml',
    'application/vnd.api+JSON; ext="a b"',
  ])('of %s is plain text', async (content_type) => {
    const payload = 'not base64 ✓';
    expect(await readBack({ payload, content_type })).toMatchObject({ payload, content_type });
  });

  it.each([
    'image/png',
    'application/octet-stream',
    'application/jsonx',
    'application/x-json',
    'font/woff2; v=1',
  ])('of %s is base64 only', async (content_type) => {
    for (const payload of ['not base64', 'AAE', 'AAE=\n', 'AA-_', 'AAF=', 'AAEC ']) {
      expect([payload, await errorCodeOf({ payload, content_type })]).toEqual([payload, 'VALIDATION_ERROR']);
    }
    expect(await readBack({ payload: 'AAE=', content_type })).toMatchObject({
      payload: 'AAE=',
      size_bytes: 2,
    });
  });
});

describe('SPK-06: the error for binary content', () => {
  it.each([
    ['AAAA\r\nAAAA', 'payload must be base64 for this content_type, without line breaks or spaces'],
    ['AA-_', 'payload must be base64 for this content_type, with + and /, not - and _'],
    ['AAE', 'payload must be base64 for this content_type, padded with ='],
    ['AAF=', 'payload must be base64 for this content_type'],
  ])('of %j says what is wrong', async (payload, message) => {
    await expect(create({ payload, content_type: 'image/png' })).rejects.toMatchObject({
      reason: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'payload', message }] },
    });
  });
});

describe('link Sparks', () => {
  const link = (payload: string, more: object = {}) => ({ payload, content_type: 'text/uri-list', ...more });

  it('SPK-08 SPK-09 SPK-15: get a public link, which the response contains', async () => {
    const created = await create(link('https://example.com/a?b=c#d'));
    expect(created.link_code).toMatch(/^[0-9A-Za-z]{22}$/);
    expect(created.link_url).toBe(`http://127.0.0.1:8082/${created.link_code}`);
    const [row] = await platform.sql(
      `SELECT link_type, visibility, status, host(bound_ip) AS bound_ip, account_id FROM sparklinks WHERE asset_id = $1`,
      [created.spark_id],
    );
    expect(row).toEqual({
      link_type: 'spark',
      visibility: 'public',
      status: 'active',
      bound_ip: null,
      account_id: caller.credential.accountId,
    });
  });

  it('SPK-08: are recognized by the media type, whatever its case and parameters', async () => {
    expect(
      await create({ payload: 'http://example.com', content_type: 'Text/URI-List; charset=utf-8' }),
    ).toHaveProperty('link_code');
  });

  it.each([
    'plain text',
    '',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://a.example\nhttps://b.example',
    'https://a.example https://b.example',
    'https://a.example,https://b.example',
    ' https://a.example',
    'https://a.example\r\n',
    'https://user:pass@a.example',
    'https://@a.example',
    'https:a.example',
    'https:///a.example',
    'https:\\\\a.example',
    'https://a.example\\@b.example',
    'https://',
    'https://a.example:99999',
    'https://a.example/\u0000',
  ])('SPK-08: reject the payload %j', async (payload) => {
    expect(await errorCodeOf(link(payload))).toBe('VALIDATION_ERROR');
  });

  it('SPK-01 SPK-08: reject a URL of 256,001 bytes, and a host that no name server knows', async () => {
    expect(await errorCodeOf(link(`https://a.example/${'x'.repeat(255_983)}`))).toBe('PAYLOAD_TOO_LARGE');
    expect(await errorCodeOf(link(`https://${'a.'.repeat(1_024)}example/`))).toBe('VALIDATION_ERROR');
  });

  it('SPK-01 SPK-08: accept a URL of 4,096 and of 256,000 bytes, an IPv6 host and an internationalized one', async () => {
    for (const payload of [
      `https://a.example/?X-Signature=${'x'.repeat(4_065)}`,
      `https://a.example/${'x'.repeat(255_982)}`,
      'http://[2001:db8::1]:8080/x',
      'https://müller.example/ü?q=✓',
    ]) {
      expect(await readBack(link(payload))).toMatchObject({ payload });
    }
  });

  describe('SPK-11: bound_ip', () => {
    it.each([
      ['192.0.2.7', '192.0.2.7'],
      ['::ffff:192.0.2.7', '192.0.2.7'],
      ['::FFFF:C000:0207', '192.0.2.7'],
      ['2001:DB8:0:0::1', '2001:db8::1'],
    ])('%s binds the link to %s', async (bound_ip, stored) => {
      const { spark_id } = await create(link('https://example.com', { bound_ip }));
      expect(
        await platform.sql(`SELECT host(bound_ip) AS ip FROM sparklinks WHERE asset_id = $1`, [spark_id]),
      ).toEqual([{ ip: stored }]);
    });

    it.each(['', '192.0.2', '192.0.2.7/24', 'fe80::1%eth0', '010.0.0.1', 'localhost'])(
      'rejects %j with 400',
      async (bound_ip) => {
        expect(await errorCodeOf(link('https://example.com', { bound_ip }))).toBe('VALIDATION_ERROR');
      },
    );
  });
});

describe('kindlings', () => {
  it('SPK-13 SPK-14 ENV-18: start with one Spark, and Sparks of another account join', async () => {
    const first = await create({ payload: 'x', with_kindling: true });
    expect(first.kindling).toMatch(/^kdl_[0-9A-Za-z]{22}$/);
    const second = await create({ payload: 'y', kindling: first.kindling }, accountContext());
    expect(second.kindling).toBe(first.kindling);
    const { sparks } = await platform.list({ kindling: first.kindling as string }, caller);
    expect(sparks.map((spark) => spark.spark_id)).toEqual([second.spark_id, first.spark_id]);
  });

  it('AMB-08: kindling takes precedence over with_kindling', async () => {
    const { kindling } = await create({ payload: 'x', with_kindling: true });
    expect(await create({ payload: 'y', kindling, with_kindling: true })).toMatchObject({ kindling });
  });

  it('AMB-08: an unknown kindling answers 404 and stores nothing', async () => {
    const fresh = accountContext();
    expect(await errorCodeOf({ payload: 'x', kindling: `kdl_${'a'.repeat(22)}` }, fresh)).toBe('NOT_FOUND');
    expect(await platform.list({}, fresh)).toMatchObject({ count: 0 });
  });
});

describe('AMB-13 OPEN-58: the plan and the pools of the account', () => {
  const poor = (pools: object) => accountContext({}, { pools: pools as never });

  it('ENV-23 ENV-24 OPEN-05 OPEN-58: answer 402 PLAN_REQUIRED without a plan, and 402 QUOTA_EXCEEDED with the remedy for an exhausted pool', async () => {
    expect(await errorCodeOf({ payload: 'x' }, poor({ plan: 'none', exhausted: [] }))).toBe('PLAN_REQUIRED');
    const details = (pool: string) =>
      create({ payload: 'x' }, poor({ plan: 'active', exhausted: [pool] })).catch((error: object) => error);
    expect(await details('storage')).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { resource: 'storage', action_required: 'add_storage_block' },
    });
    expect(await details('bandwidth')).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { resource: 'bandwidth', action_required: 'add_bandwidth_block' },
    });
  });

  it('AMB-13: are checked after 413 and 400, and after 404', async () => {
    const broke = poor({ plan: 'none', exhausted: [] });
    const kindling = `kdl_${'b'.repeat(22)}`;
    expect(await errorCodeOf({ payload: 'x'.repeat(256_001), kindling }, broke)).toBe('PAYLOAD_TOO_LARGE');
    expect(await errorCodeOf({ payload: '!', content_type: 'image/png', kindling }, broke)).toBe(
      'VALIDATION_ERROR',
    );
    expect(await errorCodeOf({ payload: 'x', kindling }, broke)).toBe('NOT_FOUND');
  });

  it('OPEN-58: reject a call without a pool snapshot', async () => {
    expect(await errorCodeOf({ payload: 'x' }, accountContext({}, { pools: undefined }))).toBe(
      'INTERNAL_ERROR',
    );
  });

  it('OPEN-58: do not matter for reading a Spark and listing its kindling', async () => {
    const { spark_id } = await create({ payload: 'mine' });
    const broke = accountContext(caller.credential, {
      pools: { plan: 'none', exhausted: ['storage', 'bandwidth'] },
    });
    expect(await platform.read(spark_id, broke)).toMatchObject({ payload: 'mine' });
  });
});

describe('events', () => {
  it('OPEN-58: sparks.created is stored in the same statement, with figures and without content or name', async () => {
    const { spark_id, expires_at } = await create({ payload: 'secret contents', filename: 'f.txt' });
    const rows = await outboxEvents(platform.service, { spark_id });
    const { accountId, credentialId } = caller.credential;
    const payload = {
      spark_id,
      account_id: accountId,
      size_bytes: 15,
      expires_at,
      label: null,
      actor_type: 'api_key',
      actor_id: credentialId,
    };
    expect(rows).toEqual([
      { name: 'sparks.created', account_id: accountId, request_id: caller.requestId, payload },
    ]);
  });
});
