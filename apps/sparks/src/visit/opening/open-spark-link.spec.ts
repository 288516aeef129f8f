import { beforeAll, describe, expect, it } from '@jest/globals';
import { shareSpark, type SparkSharing } from '@vaultsvc/contracts/sparks';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { linksOf } from '../../testing/links.js';
import { usePlatform, type Platform } from '../../testing/platform.js';
import { visitContext, visitsTo, type Visits } from '../../testing/visits.js';
import { LinkAdmission } from '../admission/link-admission.js';
import { OpeningRepository } from './opening.repository.js';

const caller = accountContext();
const other = accountContext();

const platform = usePlatform();
let visits: Visits;
let links: ReturnType<typeof linksOf>;

beforeAll(async () => {
  links = linksOf(platform);
  visits = visitsTo(platform.harness);
});

/** A shared Spark and its link. */
async function shared(body: Parameters<Platform['create']>[0], terms: Partial<SparkSharing> = {}) {
  const { spark_id } = await platform.create(body, caller);
  const { link_code } = await platform.harness.bus.call(
    shareSpark,
    { params: { spark_id }, body: { visibility: 'public', invites: [], ...terms } },
    caller,
  );
  return { spark_id, link_code };
}

type Shared = Awaited<ReturnType<typeof shared>>;

/** A link Spark, which is created with its link. */
async function linkTo(url: string, more: { bound_ip?: string } = {}) {
  const made = await platform.create({ payload: url, content_type: 'text/uri-list', ...more }, caller);
  return { spark_id: made.spark_id, link_code: made.link_code as string };
}

const linkRow = async (sparkId: string) =>
  (
    await platform.sql<{ status: string; consumed_at: Date | null }>(
      `SELECT status, consumed_at FROM sparklinks WHERE asset_id = $1`,
      [sparkId],
    )
  )[0];
const sparkStatus = async (sparkId: string) =>
  (await platform.sql<{ status: string }>(`SELECT status FROM sparks WHERE id = $1`, [sparkId]))[0]?.status;
const publishedEvents = async (sparkId: string) =>
  platform.sql<{ name: string; account_id: string; payload: Record<string, unknown> }>(
    `SELECT name, account_id, payload FROM recorded_events
      WHERE name IN ('sparks.read', 'sparks.sparklink-accessed') AND $1 IN (payload->>'spark_id', payload->>'asset_id') ORDER BY name`,
    [sparkId],
  );
const errorOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'none',
    (error: { reason: string; details?: object }) => ({ reason: error.reason, details: error.details }),
  );
/** Asserts that neither the Spark nor its link has changed. */
async function expectUntouched(sparkId: string) {
  expect(await sparkStatus(sparkId)).toBe('active');
  expect(await linkRow(sparkId)).toMatchObject({ status: 'active', consumed_at: null });
  expect(await publishedEvents(sparkId)).toEqual([]);
}

describe('opening a link of a Spark', () => {
  it('LNK-14 LNK-16 OPEN-23: returns the content, burns the Spark and consumes the link', async () => {
    const { spark_id, link_code } = await shared({ payload: 'for your eyes', filename: 'note.txt' });
    expect(await visits.open(link_code)).toEqual({
      type: 'content',
      payload: 'for your eyes',
      content_type: 'text/plain',
      filename: 'note.txt',
    });
    expect(await sparkStatus(spark_id)).toBe('ash');
    expect(await linkRow(spark_id)).toMatchObject({ status: 'consumed', consumed_at: expect.any(Date) });
    expect((await platform.list({}, caller)).sparks[0]).toMatchObject({
      status: 'ash',
      burned_at: expect.any(Number),
    });
  });

  it.each([
    ['text', { payload: '{"a":1}', content_type: 'application/json' }],
    ['binary', { payload: 'AAEC/w==', content_type: 'application/octet-stream' }],
  ])('OPEN-23: returns %s unchanged', async (_, body) => {
    const { link_code } = await shared(body);
    expect(await visits.open(link_code)).toMatchObject({ type: 'content', filename: null, ...body });
  });

  it('LNK-12: redirects to the destination of a link Spark', async () => {
    const { spark_id, link_code } = await linkTo('https://example.com/a?b=c#d');
    expect(await visits.open(link_code)).toEqual({ type: 'redirect', url: 'https://example.com/a?b=c#d' });
    expect(await sparkStatus(spark_id)).toBe('ash');
  });

  it('LNK-13 OPEN-26: returns a flagged destination with its warning, and burns the Spark all the same', async () => {
    const { spark_id, link_code } = await linkTo('http://192.168.1.1/admin');
    expect(await visits.open(link_code)).toEqual({
      type: 'warning',
      url: 'http://192.168.1.1/admin',
      reason: 'private_address',
    });
    expect(await sparkStatus(spark_id)).toBe('ash');
  });

  it('LNK-22: publishes one event with code, address and user agent in the account of the owner', async () => {
    const { spark_id, link_code } = await shared({ payload: 'x' });
    await visits.open(link_code, {}, { clientIp: '::ffff:198.51.100.9', userAgent: 'Mozilla/5.0' });
    const { accountId } = caller.credential;
    const [link] = await platform.sql<{ id: string }>(`SELECT id FROM sparklinks WHERE asset_id = $1`, [
      spark_id,
    ]);
    expect(await publishedEvents(spark_id)).toEqual([
      {
        name: 'sparks.read',
        account_id: accountId,
        payload: {
          spark_id,
          account_id: accountId,
          reader_account_id: accountId,
          size_bytes: 1,
          actor_type: 'link',
          actor_id: link?.id,
        },
      },
      {
        name: 'sparks.sparklink-accessed',
        account_id: accountId,
        payload: {
          account_id: accountId,
          link_id: link?.id,
          link_type: 'spark',
          asset_id: spark_id,
          vault_id: null,
          link_code,
          visibility: 'public',
          verified_by: null,
          ip: '198.51.100.9',
          user_agent: 'Mozilla/5.0',
        },
      },
    ]);
  });
});

describe('describing a link of a Spark', () => {
  it('OPEN-22 OPEN-23: returns the kind and that it opens once, and consumes nothing, however often', async () => {
    const text = await shared({ payload: 'x', filename: 'secret.txt' });
    const url = await linkTo('https://example.com');
    for (let times = 0; times < 3; times++) {
      expect(await visits.open(text.link_code, { describe: true })).toEqual({
        type: 'content',
        once: true,
      });
      expect(await visits.open(url.link_code, { describe: true })).toEqual({ type: 'redirect', once: true });
    }
    await expectUntouched(text.spark_id);
    await expectUntouched(url.spark_id);
  });

  it('ENV-41: finds no Spark of another account', async () => {
    const { context } = platform.service;
    const { link_code } = await shared({ payload: 'x' });
    const link = await context.get(LinkAdmission).admit(link_code, visitContext());
    const contentTypeOf = (accountId: string) =>
      context.get(OpeningRepository).contentTypeOf({ ...link, accountId });
    expect(await contentTypeOf(caller.credential.accountId)).toBe('text/plain');
    expect(await reasonOf(contentTypeOf(other.credential.accountId))).toBe('LINK_NOT_FOUND');
  });

  it('SPK-31: is rejected once its Spark was read over the API, as opening is', async () => {
    const { spark_id, link_code } = await shared({ payload: 'x' });
    await platform.read(spark_id, caller);
    expect(await linkRow(spark_id)).toMatchObject({ status: 'active' });
    const consumed = { reason: 'LINK_CONSUMED', details: { state: 'consumed' } };
    expect(await errorOf(visits.open(link_code, { describe: true }))).toEqual(consumed);
    expect(await errorOf(visits.open(link_code))).toEqual(consumed);
  });
});

describe('OPEN-22: opening a link of a Spark with `resume`', () => {
  it('is opening it: it has no download to resume', async () => {
    const { link_code } = await shared({ payload: 'x' });
    expect(await visits.open(link_code, { resume: true })).toEqual({
      type: 'content',
      payload: 'x',
      content_type: 'text/plain',
      filename: null,
    });
    expect(await reasonOf(visits.open(link_code, { resume: true }))).toBe('LINK_CONSUMED');
  });
});

describe('opening a link that is not active', () => {
  it.each(['0'.repeat(22), 'short', '', '../../etc/passwd', 'a'.repeat(512), '\u0000', 'é'.repeat(22)])(
    'OPEN-23: answers LINK_NOT_FOUND for %j',
    async (code) => {
      expect(await errorOf(visits.open(code))).toMatchObject({ reason: 'LINK_NOT_FOUND' });
      expect(await errorOf(visits.start(code, 'a@example.test'))).toMatchObject({ reason: 'LINK_NOT_FOUND' });
      expect(await errorOf(visits.confirm(code, 'a@example.test', '000000'))).toMatchObject({
        reason: 'LINK_NOT_FOUND',
      });
    },
  );

  it('OPEN-22: answers LINK_NOT_FOUND on the other origin and leaves the link active', async () => {
    const { spark_id, link_code } = await shared({ payload: 'x' });
    expect(await reasonOf(visits.open(link_code, {}, { domain: 'files' }))).toBe('LINK_NOT_FOUND');
    await expectUntouched(spark_id);
  });

  it('LNK-14: answers LINK_CONSUMED with the state after an opening', async () => {
    const { link_code } = await shared({ payload: 'x' });
    await visits.open(link_code);
    const consumed = { reason: 'LINK_CONSUMED', details: { state: 'consumed' } };
    expect(await errorOf(visits.open(link_code))).toEqual(consumed);
    expect(await errorOf(visits.open(link_code, { describe: true }))).toEqual(consumed);
    expect(await errorOf(visits.start(link_code, 'a@example.test'))).toEqual(consumed);
    expect(await errorOf(visits.confirm(link_code, 'a@example.test', '000000'))).toEqual(consumed);
  });

  it.each([
    ['the deletion of the link', ({ link_code }: Shared) => links.remove(link_code, caller)],
    ['the end of its share', ({ spark_id }: Shared) => links.unshare(spark_id, caller)],
  ])('LNK-15: answers LINK_REVOKED with the state after %s, and keeps the Spark', async (_, revoke) => {
    const terms: Partial<SparkSharing> = { visibility: 'invite_only', invites: ['a@example.test'] };
    for (const made of [await shared({ payload: 'kept' }), await shared({ payload: 'kept' }, terms)]) {
      const code = made.link_code;
      await revoke(made);
      expect(await linkRow(made.spark_id)).toEqual({ status: 'revoked', consumed_at: null });
      for (const attempt of [
        visits.open(code),
        visits.open(code, { describe: true }),
        visits.start(code, 'a@example.test'),
        visits.confirm(code, 'a@example.test', '000000'),
      ])
        expect(await errorOf(attempt)).toEqual({ reason: 'LINK_REVOKED', details: { state: 'revoked' } });
      expect(await publishedEvents(made.spark_id)).toEqual([]);
      expect((await platform.read(made.spark_id, caller)).payload).toBe('kept');
    }
  });

  it('LNK-15: opens no revoked link of a Spark that was shared again', async () => {
    const { spark_id, link_code } = await shared({ payload: 'again' });
    await links.remove(link_code, caller);
    const { link_code: next } = await links.share(spark_id, {}, caller);
    expect(await reasonOf(visits.open(link_code))).toBe('LINK_REVOKED');
    expect(await visits.open(next)).toMatchObject({ payload: 'again' });
  });

  it('LNK-19: answers LINK_EXPIRED with the state after its expiry, before that of the Spark', async () => {
    const { spark_id, link_code } = await shared({ payload: 'kept' }, { expires_in_seconds: 60 });
    await platform.sql(
      `UPDATE sparklinks SET expires_at = expires_at - interval '60 seconds' WHERE asset_id = $1`,
      [spark_id],
    );
    expect(await errorOf(visits.open(link_code))).toEqual({
      reason: 'LINK_EXPIRED',
      details: { state: 'expired' },
    });
    expect((await platform.read(spark_id, caller)).payload).toBe('kept');
  });

  it('LNK-16: answers LINK_NOT_FOUND after the deletion of its Spark', async () => {
    const { spark_id, link_code } = await shared({ payload: 'x' });
    await platform.remove(spark_id, caller);
    expect(await reasonOf(visits.open(link_code))).toBe('LINK_NOT_FOUND');
  });

  it('SPK-30: answers LINK_BEING_OPENED during a read of the Spark, and opens when the lock is stale', async () => {
    const { spark_id, link_code } = await shared({ payload: 'x' });
    await platform.sql(
      `UPDATE sparks SET status = 'reading', lock_token = gen_random_uuid(), locked_at = now() WHERE id = $1`,
      [spark_id],
    );
    expect(await reasonOf(visits.open(link_code))).toBe('LINK_BEING_OPENED');
    expect(await linkRow(spark_id)).toMatchObject({ status: 'active' });
    await platform.ageLock(spark_id, '31 seconds');
    expect(await visits.open(link_code)).toMatchObject({ payload: 'x' });
  });
});

describe('SPK-11: a link with a bound address', () => {
  it.each([
    ['192.0.2.44', '192.0.2.44'],
    ['192.0.2.44', '::ffff:192.0.2.44'],
    ['::ffff:192.0.2.44', '192.0.2.44'],
    ['2001:db8::1', '2001:0db8:0:0:0:0:0:0001'],
  ])('bound to %s opens from %s', async (bound_ip, clientIp) => {
    const { link_code } = await linkTo('https://example.com/', { bound_ip });
    expect(await visits.open(link_code, {}, { clientIp })).toMatchObject({ type: 'redirect' });
  });

  it.each(['192.0.2.45', '::ffff:192.0.2.45', '2001:db8::1', 'junk', null])(
    'answers LINK_ADDRESS_REFUSED from %s and stays active for its address',
    async (clientIp) => {
      const { spark_id, link_code } = await linkTo('https://example.com/', { bound_ip: '192.0.2.44' });
      for (const body of [{}, { describe: true }])
        expect(await reasonOf(visits.open(link_code, body, { clientIp }))).toBe('LINK_ADDRESS_REFUSED');
      await expectUntouched(spark_id);
      expect(await visits.open(link_code, {}, { clientIp: '192.0.2.44' })).toMatchObject({
        type: 'redirect',
      });
    },
  );

  it('keeps its bound address when it is revoked and the Spark shared again', async () => {
    const { spark_id } = await linkTo('https://example.com/', { bound_ip: '192.0.2.44' });
    const links = linksOf(platform);
    await links.unshare(spark_id, caller);
    const { link_code } = await links.share(spark_id, {}, caller);
    expect(await links.read(link_code, caller)).toMatchObject({ bound_ip: '192.0.2.44' });
    expect(await reasonOf(visits.open(link_code, {}, { clientIp: '192.0.2.45' }))).toBe(
      'LINK_ADDRESS_REFUSED',
    );
  });
});

describe('opening a public link with a credential', () => {
  it('ENV-41: succeeds with a session or key of any account', async () => {
    const { link_code } = await shared({ payload: 'x' });
    expect(await visits.open(link_code, {}, { credential: other.credential })).toMatchObject({
      payload: 'x',
    });
  });
});
