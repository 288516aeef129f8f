import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { addOneTimeLink, deleteLink, putIngotShare, readLink } from '@vaultsvc/contracts/sparks';
import { deleteIngot, describeVersion } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { Database } from '@vaultsvc/database';
import {
  accountContext,
  internalContext,
  lockWaiters,
  readReason,
  reasonOf,
} from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import {
  readContent,
  startSharingPlatform,
  type SharingPlatform,
  type SharingFixture,
} from '@vaultsvc/tools-testing/file-sharing';
import { startPlatform, type Platform } from '../../testing/platform.js';
import { sentCodes } from '../../testing/sent-codes.js';
import { visitsTo, type Visits } from '../../testing/visits.js';

const ANN = 'ann@example.test';
const files = { domain: 'files' } as const;

describe('opening a link of a file', () => {
  let platform: SharingPlatform;
  let fixture: SharingFixture;
  let visits: Visits;
  beforeAll(async () => {
    platform = await startSharingPlatform({ LOG_LEVEL: 'silent' });
    fixture = await platform.newSharingFixture();
    visits = visitsTo(platform.harness);
  });
  afterAll(() => platform.harness.stop());

  const accesses = (ingotId: string) =>
    platform.sparksSql<{ payload: Record<string, unknown> }>(
      `SELECT payload FROM recorded_events WHERE name = 'sparks.sparklink-accessed' AND payload->>'asset_id' = $1 ORDER BY seq`,
      [ingotId],
    );
  const currentVersion = (ingot_id: string) => {
    const body = { account_id: fixture.caller.credential.accountId, vault_id: fixture.vault_id, ingot_id };
    return platform.harness.bus.call(describeVersion, { body }, internalContext());
  };
  const shown = (link_code: string) => fixture.call(readLink, { params: { link_code } });
  const remove = (link_code: string) => fixture.call(deleteLink, { params: { link_code } });
  const revoked = { reason: 'LINK_REVOKED', details: { state: 'revoked' } };

  it('OPEN-22 SHR-13 LNK-22: returns the file of a one-time link, consumes the link and publishes one event', async () => {
    const ingot_id = await fixture.stored('a file');
    const { link_code } = await fixture.link(ingot_id);
    for (let times = 0; times < 3; times++)
      expect(await visits.open(link_code, { describe: true })).toEqual({
        type: 'file',
        name: expect.any(String),
        size_bytes: 6,
        once: true,
      });
    expect(await shown(link_code)).toMatchObject({ status: 'active' });
    expect(await accesses(ingot_id)).toEqual([]);
    const file = await visits.open(link_code);
    expect(file).toEqual({
      type: 'file',
      name: expect.any(String),
      size_bytes: 6,
      content_type: expect.any(String),
      modified_at: null,
      download_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/decrypt\?istk=[\w-]{43}$/),
    });
    expect((await readContent(file.download_url as string)).bytes.toString()).toBe('a file');
    expect(await shown(link_code)).toMatchObject({ status: 'consumed' });
    expect(await reasonOf(visits.open(link_code, { describe: true }))).toBe('LINK_CONSUMED');
    expect(await accesses(ingot_id)).toMatchObject([
      { payload: { link_type: 'ingot', vault_id: fixture.vault_id, link_code, verified_by: null } },
    ]);
  });

  it('OPEN-22: does not find a one-time link on the origin of files, and leaves it active', async () => {
    const ingot_id = await fixture.stored('a file');
    const { link_code } = await fixture.link(ingot_id);
    for (const body of [{}, { describe: true }, { resume: true }])
      expect(await reasonOf(visits.open(link_code, body, files))).toBe('LINK_NOT_FOUND');
    expect(await shown(link_code)).toMatchObject({ status: 'active' });
    expect(await accesses(ingot_id)).toEqual([]);
  });

  it('OPEN-22: leads from the link origin to the address of a durable share, whoever may open it and until it is gone', async () => {
    const ingot_id = await fixture.stored('a file');
    const { link_code, public_url: url } = await fixture.put(ingot_id, {
      shared: true,
      visibility: 'invite_only',
      invites: [ANN],
    });
    const code = link_code as string;
    const redirect = { type: 'redirect', url };
    for (const body of [{}, { describe: true }, { resume: true }, { confirmed: false }])
      expect(await visits.open(code, body)).toEqual(redirect);
    expect(await reasonOf(visits.open(code, { describe: true }, files))).toBe('LINK_VERIFICATION_REQUIRED');
    for (const call of [visits.start(code, ANN), visits.confirm(code, ANN, '123456')])
      expect(await reasonOf(call)).toBe('LINK_NOT_FOUND');
    expect(await accesses(ingot_id)).toEqual([]);
    await fixture.put(ingot_id, { shared: false });
    expect(await visits.open(code)).toEqual(redirect);
    expect(await reasonOf(visits.open(code, {}, files))).toBe('LINK_REVOKED');
    await fixture.call(deleteIngot, { params: { vault_id: fixture.vault_id, ingot_id } });
    expect(await reasonOf(visits.open(code))).toBe('LINK_NOT_FOUND');
  });

  it('OPEN-22 SHR-13: with `resume` returns a URL of one version for 12 hours, and consumes the link', async () => {
    const ingot_id = await fixture.stored('a file');
    const { link_code } = await fixture.link(ingot_id);
    expect(await visits.open(link_code, { describe: true, resume: true })).not.toHaveProperty('expires_at');
    expect(await visits.open(link_code, { confirmed: false, describe: true })).toMatchObject({ once: true });
    expect(await shown(link_code)).toMatchObject({ status: 'active' });
    const { version_id } = await currentVersion(ingot_id);
    const now = Math.floor(Date.now() / 1_000);
    const file = await visits.open(link_code, { resume: true });
    expect(file).toEqual({
      type: 'file',
      name: expect.any(String),
      size_bytes: 6,
      content_type: expect.any(String),
      modified_at: null,
      download_url: expect.stringMatching(/\/decrypt\?istk=[\w-]{43}$/),
      expires_at: expect.any(Number),
      version_id,
      content_hash: createHash('sha256').update('a file').digest('hex'),
    });
    expect(Math.abs((file.expires_at as number) - now - 43_200)).toBeLessThan(20);
    expect(await shown(link_code)).toMatchObject({ status: 'consumed' });
    for (const body of [{}, { resume: true }])
      expect(await reasonOf(visits.open(link_code, body))).toBe('LINK_CONSUMED');
    expect(await accesses(ingot_id)).toHaveLength(1);
    const url = file.download_url as string;
    for (const [range, text] of [
      ['bytes=0-', 'a file'],
      ['bytes=2-', 'file'],
      ['bytes=0-', 'a file'],
    ] as const)
      expect(await (await fetch(url, { headers: { Range: range } })).text()).toBe(text);
  });

  it('OPEN-22 LNK-14: gives the URL of `resume` to one of twenty concurrent visitors', async () => {
    const { link_code } = await fixture.link(await fixture.stored('a file'));
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        visits.open(link_code, { resume: index % 2 === 0 }).catch(readReason),
      ),
    );
    expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(1);
    for (const outcome of outcomes)
      if (typeof outcome === 'string') expect(['LINK_BEING_OPENED', 'LINK_CONSUMED']).toContain(outcome);
  });

  it('SHR-07 LNK-17 LNK-22: publishes each opening of a durable link and stores the last verified identity', async () => {
    const ingot_id = await fixture.stored('a file');
    const { link_code } = await fixture.put(ingot_id, {
      shared: true,
      visibility: 'invite_only',
      invites: [ANN, 'bob@example.test'],
    });
    const code = link_code as string;
    const tokenOf = async (identity: string) => {
      await visits.start(code, identity, files);
      const sent = await sentCodes({ service: platform.sparks, sql: platform.sparksSql }, ingot_id);
      const digits = sent.findLast((one) => one.identity === identity)?.code as string;
      return (await visits.confirm(code, identity, digits, files)).verification_token;
    };
    for (const body of [{}, { describe: true }])
      expect(await reasonOf(visits.open(code, body, files))).toBe('LINK_VERIFICATION_REQUIRED');
    expect(await accesses(ingot_id)).toEqual([]);
    for (const identity of [ANN, 'bob@example.test']) {
      const verification_token = await tokenOf(identity);
      expect(await visits.open(code, { verification_token }, files)).toMatchObject({ type: 'file' });
      expect(await shown(code)).toMatchObject({ status: 'active', verified_by: identity });
    }
    expect((await accesses(ingot_id)).map(({ payload }) => payload['verified_by'])).toEqual([
      ANN,
      'bob@example.test',
    ]);
  });

  it('SHR-07: applies a change of visibility to later openings while many visitors open it', async () => {
    const ingot_id = await fixture.stored('a file');
    const code = (await fixture.put(ingot_id, { shared: true, visibility: 'public' })).link_code as string;
    const waiting = async (count: number) => (await lockWaiters(platform.sparks)) === count;
    const visitor = await platform.sparks.context.get(Database).connect();
    await visitor.query('BEGIN');
    await visitor.query('SELECT FROM sparklinks WHERE asset_id = $1 FOR SHARE', [ingot_id]);
    const change = fixture.put(ingot_id, { shared: true, visibility: 'authenticated' });
    await until(() => waiting(1));
    let isOpened = false;
    const opened = visits.open(code, {}, files).finally(() => (isOpened = true));
    const reason = reasonOf(opened);
    await until(async () => isOpened || (await waiting(2)));
    await visitor.query('COMMIT');
    visitor.release();
    expect(await reason).toBe('LINK_BEING_OPENED');
    expect(await change).toMatchObject({ visibility: 'authenticated' });
  });

  it.each([
    ['the deletion of the link', (_: string, link_code: string) => remove(link_code)],
    ['the end of its share', (ingot_id: string) => fixture.put(ingot_id, { shared: false })],
  ])('LNK-15: answers LINK_REVOKED for a durable link after %s', async (_, revoke) => {
    const ingot_id = await fixture.stored('a file');
    const code = await fixture.share(ingot_id);
    await revoke(ingot_id, code);
    expect(await shown(code)).toMatchObject({ status: 'revoked' });
    for (const body of [{}, { describe: true }, { resume: true }])
      await expect(visits.open(code, body, files)).rejects.toMatchObject(revoked);
    expect(await accesses(ingot_id)).toEqual([]);
  });

  it('LNK-15: answers LINK_REVOKED for a one-time link after its deletion, and opens the others of its file', async () => {
    const ingot_id = await fixture.stored('a file');
    const [{ link_code }, other] = [await fixture.link(ingot_id), await fixture.link(ingot_id)];
    await remove(link_code);
    expect(await shown(link_code)).toMatchObject({ status: 'revoked' });
    for (const body of [{}, { describe: true }, { resume: true }])
      await expect(visits.open(link_code, body)).rejects.toMatchObject(revoked);
    expect(await accesses(ingot_id)).toEqual([]);
    expect(await visits.open(other.link_code)).toMatchObject({ type: 'file', size_bytes: 6 });
  });

  it('OPEN-20: answers LINK_SUSPENDED while sharing is off, and publishes nothing', async () => {
    const ingot_id = await fixture.stored('a file');
    const code = await fixture.share(ingot_id);
    await fixture.setSharing(false);
    for (const body of [{}, { describe: true }])
      await expect(visits.open(code, body, files)).rejects.toMatchObject({
        reason: 'LINK_SUSPENDED',
        details: { state: 'suspended' },
      });
    await fixture.setSharing(true);
    expect(await accesses(ingot_id)).toEqual([]);
  });
});

describe('opening a link of a file without vaults', () => {
  let platform: Platform;
  let visits: Visits;
  beforeAll(async () => {
    platform = await startPlatform({ LOG_LEVEL: 'silent' });
    visits = visitsTo(platform.harness);
  });
  afterAll(() => platform.harness.stop());

  const act = () =>
    ({
      account_id: newId('acc_'),
      vault_id: newId('vlt_'),
      ingot_id: newId('ing_'),
      link_id: randomUUID(),
      actor_type: 'api_key',
      actor_id: 'key_1',
    }) as const;
  const statusOf = async (ingotId: string) =>
    (
      await platform.sql<{ status: string }>(`SELECT status FROM sparklinks WHERE asset_id = $1`, [ingotId])
    )[0]?.status;

  it.each([{ describe: true }, {}])('SHR-13: fails with %j and leaves the link active', async (body) => {
    const context = internalContext('req_of_vaults');
    const once = { ...act(), link_code: mintLinkCode(), expires_at: Math.floor(Date.now() / 1_000) + 300 };
    await platform.harness.bus.call(addOneTimeLink, { body: once }, context);
    expect(await reasonOf(visits.open(once.link_code, body))).toBe('INTERNAL_ERROR');
    expect(await statusOf(once.ingot_id)).toBe('active');

    const durable = { ...act(), visibility: 'public' as const, invites: [] };
    const { link_code } = await platform.harness.bus.call(putIngotShare, { body: durable }, context);
    expect(await reasonOf(visits.open(link_code, body, files))).toBe('INTERNAL_ERROR');
    expect(await statusOf(durable.ingot_id)).toBe('active');
    const publishedEvents = await platform.sql(
      `SELECT 1 FROM recorded_events WHERE name = 'sparks.sparklink-accessed'`,
    );
    expect(publishedEvents).toEqual([]);
  });

  it('LNK-15 AMB-36: withdraws a link; forge gets an event for a consumed one, whose download no other event ends', async () => {
    const [active, consumed] = [act(), act()];
    const withdrawn = () =>
      platform.sql<{ payload: object }>(
        `SELECT payload FROM recorded_events WHERE name = 'sparks.consumed-link-withdrawn'`,
      );
    for (const ids of [active, consumed]) {
      const expires_at = Math.floor(Date.now() / 1_000) + 300;
      const body = { ...ids, link_code: mintLinkCode(), expires_at };
      await platform.harness.bus.call(addOneTimeLink, { body }, internalContext('req_of_vaults'));
      if (ids === consumed)
        await platform.sql(
          `UPDATE sparklinks SET status = 'consumed', consumed_at = now() WHERE asset_id = $1`,
          [ids.ingot_id],
        );
      const owner = accountContext({ accountId: ids.account_id });
      const withdrawal = platform.harness.bus.call(
        deleteLink,
        { params: { link_code: body.link_code } },
        owner,
      );
      expect(await withdrawal).toEqual({ deleted: true, link_code: body.link_code });
    }
    const { account_id, vault_id, link_id } = consumed;
    expect((await withdrawn()).map(({ payload }) => payload)).toEqual([{ account_id, vault_id, link_id }]);
    expect([await statusOf(active.ingot_id), await statusOf(consumed.ingot_id)]).toEqual([
      'revoked',
      'consumed',
    ]);
  });
});
