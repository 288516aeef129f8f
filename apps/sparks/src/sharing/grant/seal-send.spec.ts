import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GrantMinting, GrantPolicy, NewGrant } from '@vaultsvc/contracts/sparks';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { accountContext, outboxEvents, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { grantFor, grantsOf } from '../../testing/grants.js';
import { linksOf } from '../../testing/links.js';
import { usePlatform } from '../../testing/platform.js';

const ANN = 'ann@example.test';
const BOB = '+4930123456';
const caller = accountContext();
const platform = usePlatform({ LOG_LEVEL: 'silent' });
let grants: ReturnType<typeof grantsOf>;
beforeAll(async () => {
  await stopSchedule(platform.service);
  grants = grantsOf(platform, caller);
});

const idsOf = (minted: readonly NewGrant[]) => minted.map(({ spark_id }) => spark_id);
const stored = async (minted: readonly NewGrant[]) =>
  (await platform.sql(`SELECT id FROM sparks WHERE id = ANY($1::text[])`, [idsOf(minted)])).length +
  (await platform.sql(`SELECT id FROM sparklinks WHERE asset_id = ANY($1::text[])`, [idsOf(minted)])).length;
const level = (verification_level: GrantPolicy['verification_level']) => ({ verification_level });

describe('sealSend', () => {
  it('NTF-06 NTF-28: stores one Spark behind one single-use link for each recipient', async () => {
    const minted = await grants.minted([null, null, null]);
    expect(new Set(minted.map(({ code }) => code)).size).toBe(3);
    for (const grant of minted) {
      expect(await grants.statusOf(grant)).toBe('active');
      expect(await grants.visits.open(grant.code)).toMatchObject({ type: 'content', payload: 'for you' });
      expect(await reasonOf(grants.visits.open(grant.code))).toBe('LINK_CONSUMED');
      expect(await grants.statusOf(grant)).toBe('consumed');
    }
  });

  it('NTF-06: seals the key of the content for each grant under a key of its own', async () => {
    const minted = await grants.minted([null, null]);
    const rows = await platform.sql<{ wrapped_dek: Buffer; ciphertext: Buffer }>(
      `SELECT wrapped_dek, ciphertext FROM sparks WHERE id = ANY($1::text[])`,
      [idsOf(minted)],
    );
    expect(new Set(rows.map(({ wrapped_dek }) => wrapped_dek.toString('hex'))).size).toBe(2);
    for (const { ciphertext } of rows) expect(ciphertext.includes('for you')).toBe(false);
  });

  it('NTF-06 SPK-06: seals a binary content as its bytes and returns it in base64', async () => {
    const bytes = Buffer.from([0, 255, 128, 10]);
    const payload = bytes.toString('base64');
    const content = Buffer.from(payload).toString('base64');
    const [grant] = await grants.minted([null], {}, { content, content_type: 'image/png' });
    const opened = await grants.visits.open(grant.code);
    expect(opened).toMatchObject({ type: 'content', payload, content_type: 'image/png' });
    const action_hash = createHash('sha256').update(bytes).digest('hex');
    expect(opened).toMatchObject({ interaction: { action_hash } });
  });

  it('NTF-06 LNK-20: publishes the events of a new Spark and a new link, without codes, and sends no invitation', async () => {
    const [grant] = await grants.minted([ANN], level('identifier'));
    const { accountId: account_id, credentialId: actor_id } = caller.credential;
    const actor = { account_id, actor_type: 'api_key', actor_id };
    const created = await outboxEvents(platform.service, { spark_id: grant.spark_id });
    const linked = await outboxEvents(platform.service, { asset_id: grant.spark_id });
    expect(created).toMatchObject([{ name: 'sparks.created', payload: { ...actor, size_bytes: 7 } }]);
    expect(linked).toMatchObject([
      { name: 'sparks.sparklink-created', payload: { ...actor, link_id: grant.link_id } },
    ]);
    expect(JSON.stringify([created, linked])).not.toContain(grant.code);
    expect(await linksOf(platform).enqueuedMessages(account_id)).toEqual([]);
  });

  it('NTF-28: shows grants in the lists of the account, with the one invited identity', async () => {
    const [grant] = await grants.minted([ANN], level('identifier'), { filename: 'note.txt' });
    expect(await linksOf(platform).read(grant.code, caller)).toMatchObject({
      visibility: 'invite_only',
      invites: [{ identity: ANN }],
      status: 'active',
    });
    expect(await reasonOf(linksOf(platform).read(grant.code, accountContext()))).toBe('SPARKLINK_NOT_FOUND');
  });

  it('NTF-28: keeps the terms of a grant when its Spark is shared', async () => {
    const [grant] = await grants.minted([ANN], level('identifier'));
    const { link_code } = await linksOf(platform).share(grant.spark_id, { visibility: 'public' }, caller);
    expect(link_code).not.toBe(grant.code);
    expect(await reasonOf(grants.visits.open(grant.code))).toBe('LINK_VERIFICATION_REQUIRED');
  });

  it('NTF-06 NTF-02: mints five hundred grants at once, which expire together', async () => {
    const many = Array.from({ length: 500 }, () => grantFor(null));
    const { expires_at } = await grants.mint(many);
    const resolved = await grants.resolve(many.map(({ link_id }) => link_id));
    expect(resolved.size).toBe(500);
    for (const grant of resolved.values()) expect(grant).toMatchObject({ status: 'active', expires_at });
  });

  it.each<[string, () => NewGrant[], Partial<GrantMinting>]>([
    ['without grants', () => [], {}],
    ['with five hundred and one', () => Array.from({ length: 501 }, () => grantFor(null)), {}],
    ['with an identity at level none', () => [grantFor(null), grantFor(ANN)], {}],
    ['with a content that is not base64', () => [grantFor(null)], { content: 'no base64!' }],
    ['of a link that is no URL', () => [grantFor(null)], { content_type: 'text/uri-list' }],
    ['of a binary content that is not base64', () => [grantFor(null)], { content_type: 'image/png' }],
    ...(['identifier', 'passkey', 'out_of_band', 'dual_control'] as const).map(
      (name): [string, () => NewGrant[], Partial<GrantMinting>] => [
        `without an identity at level ${name}`,
        () => [grantFor(BOB), grantFor(null)],
        { policy: { ...level(name), interaction: 'view', reveal_freshness_minutes: null } },
      ],
    ),
    [
      'with one person twice for dual control',
      () => [grantFor(ANN), grantFor(ANN.toUpperCase())],
      { policy: { ...level('dual_control'), interaction: 'view', reveal_freshness_minutes: null } },
    ],
  ])('NTF-08 NTF-28: refuses a batch %s and stores nothing', async (_, make, terms) => {
    const batch = make();
    expect(await reasonOf(grants.mint(batch, terms))).toBe('VALIDATION_ERROR');
    expect(await stored(batch)).toBe(0);
  });

  it('NTF-29: stores nothing of a batch in which one id exists already', async () => {
    const [first] = await grants.minted([null]);
    const [second, third] = [grantFor(null), grantFor(null)];
    expect(await reasonOf(grants.mint([second, { ...third, spark_id: first.spark_id }]))).toBe(
      'INTERNAL_ERROR',
    );
    expect(await reasonOf(grants.mint([second, { ...third, link_id: first.link_id }]))).toBe(
      'INTERNAL_ERROR',
    );
    expect(await stored([second])).toBe(0);
    expect(await outboxEvents(platform.service, { spark_id: second.spark_id })).toEqual([]);
  });
});

describe('resolveGrants', () => {
  it('NTF-28: omits unknown, malformed and foreign ids, and links that are no grants', async () => {
    const [grant] = await grants.minted([null]);
    const shared = await platform.create({ payload: 'x' }, caller);
    await linksOf(platform).share(shared.spark_id, { visibility: 'public' }, caller);
    const [link] = await platform.sql<{ id: string }>(`SELECT id FROM sparklinks WHERE asset_id = $1`, [
      shared.spark_id,
    ]);
    const asked = [grant.link_id, randomUUID(), 'x', link?.id as string];
    expect([...(await grants.resolve(asked)).keys()]).toEqual([grant.link_id]);
    expect((await grants.resolve(asked, accountContext().credential.accountId)).size).toBe(0);
  });

  it('NTF-28: returns the URL of active grants only', async () => {
    const [active, consumed, revoked, expired, read] = await grants.minted([null, null, null, null, null]);
    const minted = [active, consumed, revoked, expired, read] as [typeof active, ...(typeof active)[]];
    await grants.visits.open(minted[1]?.code as string);
    await linksOf(platform).remove(minted[2]?.code as string, caller);
    await platform.sql(`UPDATE sparklinks SET expires_at = now() WHERE id = $1`, [expired?.link_id]);
    await platform.read(read?.spark_id as string, caller);
    const resolved = await grants.resolve(minted.map(({ link_id }) => link_id));
    const shown = minted.map(({ link_id }) => resolved.get(link_id));
    expect(shown.map((grant) => grant?.status)).toEqual([
      'active',
      'consumed',
      'revoked',
      'expired',
      'consumed',
    ]);
    expect(shown.map((grant) => grant?.link_url)).toEqual([
      `http://127.0.0.1:8082/${active.code}`,
      null,
      null,
      null,
      null,
    ]);
  });

  it('NTF-28: knows no grant by the code of a link that never existed', async () => {
    expect(await reasonOf(grants.redeem(mintLinkCode(), 'x'))).toBe('LINK_NOT_FOUND');
  });
});
