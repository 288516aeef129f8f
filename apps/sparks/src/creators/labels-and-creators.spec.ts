import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { actorOf, decode, type Actor } from '@vaultsvc/contracts';
import { addOneTimeLink, NewSpark, putIngotShare } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { accountContext, internalContext, stopSchedule } from '@vaultsvc/testing/harness';
import { grantsOf } from '../testing/grants.js';
import { linksOf } from '../testing/links.js';
import { mintingOf, sparkOf } from '../testing/minting.js';
import { usePlatform } from '../testing/platform.js';
import { visitsTo } from '../testing/visits.js';

// Auth does not run here, so that creators have no names. Over HTTP they have: apps/e2e/src/links/creators.spec.ts.
const platform = usePlatform({ LOG_LEVEL: 'silent' });
let links: ReturnType<typeof linksOf>;
beforeAll(async () => {
  await stopSchedule(platform.service);
  links = linksOf(platform);
});

const listed = async (caller: ReturnType<typeof accountContext>, query: Record<string, string> = {}) =>
  (await platform.list(query, caller)).sparks;
const keyOf = ({ credential }: ReturnType<typeof accountContext>) => ({
  kind: 'api_key',
  id: credential.credentialId,
  name: null,
});

describe('SPK-52: the label of a Spark', () => {
  it('is in the reply of its creation and in lists, and stays with the ash', async () => {
    const caller = accountContext();
    const made = await platform.create({ payload: 'x', label: 'Test server' }, caller);
    expect(made).toMatchObject({ label: 'Test server' });
    expect(await listed(caller)).toMatchObject([{ status: 'active', label: 'Test server' }]);
    await platform.read(made.spark_id, caller);
    expect(await listed(caller)).toMatchObject([
      { status: 'ash', label: 'Test server', created_by: keyOf(caller) },
    ]);
  });

  it('is kept for Sparks of a kindling, of a link and of more than 32 KiB alike', async () => {
    const caller = accountContext();
    await platform.create({ payload: 'x'.repeat(40_000), label: 'large' }, caller);
    await platform.create({ payload: 'x', label: 'grouped', with_kindling: true }, caller);
    await platform.create(
      { payload: 'https://example.com', content_type: 'text/uri-list', label: 'link' },
      caller,
    );
    expect((await listed(caller)).map(({ label }) => label)).toEqual(['link', 'grouped', 'large']);
  });

  it('is absent when none is given', async () => {
    const caller = accountContext();
    expect(await platform.create({ payload: 'x' }, caller)).not.toHaveProperty('label');
    expect((await listed(caller))[0]).not.toHaveProperty('label');
  });

  it.each(['', ' ', 'x'.repeat(101), 'two\nlines', 'a\u0000b', 'a\u202eb', 7, null])(
    'is refused if it is %j',
    (label) => {
      expect(() => decode(NewSpark, { payload: 'x', label })).toThrow(
        expect.objectContaining({ code: 'VALIDATION_ERROR' }),
      );
    },
  );

  it('has up to 100 characters, however many bytes they have', () => {
    const label = '\u{1f511}'.repeat(100);
    expect(decode(NewSpark, { payload: 'x', label })).toMatchObject({ label });
  });

  it('is not shown to other accounts that list or read the kindling, nor is the creator', async () => {
    const caller = accountContext();
    const { spark_id, kindling } = await platform.create(
      { payload: 'x', label: 'ours', with_kindling: true },
      caller,
    );
    const query = { kindling: kindling as string };
    expect(await listed(caller, query)).toMatchObject([{ label: 'ours', created_by: keyOf(caller) }]);
    const other = accountContext();
    const [seen] = await listed(other, query);
    expect(seen).toMatchObject({ spark_id });
    expect(seen).not.toHaveProperty('label');
    expect(seen).not.toHaveProperty('created_by');
    expect(await platform.read(spark_id, other)).not.toHaveProperty('label');
  });

  it('is shown with the link of the Spark, and is not in any answer to a visitor', async () => {
    const caller = accountContext();
    const { spark_id } = await platform.create({ payload: 'x', label: 'for the account' }, caller);
    const { link_code } = await links.share(spark_id, {}, caller);
    expect((await links.list({}, caller)).sparklinks).toMatchObject([
      { link_code, label: 'for the account', created_by: keyOf(caller) },
    ]);
    expect(await links.read(link_code, caller)).toMatchObject({ label: 'for the account' });
    const visits = visitsTo(platform.harness);
    const described = await visits.open(link_code, { describe: true });
    const opened = await visits.open(link_code);
    expect(JSON.stringify([described, opened])).not.toContain('for the account');
    expect((await links.list({}, caller)).sparklinks).toMatchObject([
      { status: 'consumed', label: 'for the account' },
    ]);
  });
});

describe('SPK-52: the creator of a Spark or link', () => {
  it('is the person of a session', async () => {
    const userId = newId('usr_');
    const caller = accountContext({ kind: 'session', userId });
    await platform.create({ payload: 'x' }, caller);
    expect(await listed(caller)).toMatchObject([{ created_by: { kind: 'person', id: userId, name: null } }]);
  });

  it('is the integration that acts with the credential, with the person of its provider', async () => {
    const actor: Actor = { kind: 'app', id: 'chatapp', app: 'chatapp', team: 'T1', person: 'U1' };
    const caller = accountContext({ actor });
    const { spark_id } = await platform.create({ payload: 'x' }, caller);
    await links.share(spark_id, {}, caller);
    expect(await listed(caller)).toMatchObject([{ created_by: { ...actor, name: null } }]);
    expect((await links.list({}, caller)).sparklinks).toMatchObject([
      { created_by: { ...actor, name: null } },
    ]);
  });

  it('is of a link the one who shared, not the creator of the Spark', async () => {
    const creator = accountContext();
    const sharer = accountContext({ accountId: creator.credential.accountId });
    const { spark_id } = await platform.create({ payload: 'x' }, creator);
    await links.share(spark_id, {}, sharer);
    expect(await listed(creator)).toMatchObject([{ created_by: keyOf(creator) }]);
    expect((await links.list({}, creator)).sparklinks).toMatchObject([{ created_by: keyOf(sharer) }]);
  });

  it('is known of Sparks that other services mint, and of grants and their links', async () => {
    const caller = accountContext();
    await mintingOf(platform.harness, caller).mint([sparkOf('x')]);
    await grantsOf(platform, caller).minted([null]);
    expect(await listed(caller)).toMatchObject([
      { created_by: keyOf(caller) },
      { created_by: keyOf(caller) },
    ]);
    expect((await links.list({}, caller)).sparklinks).toMatchObject([{ created_by: keyOf(caller) }]);
  });

  it('is known of links of ingots, which have no label', async () => {
    const owner = accountContext();
    const action = () => ({
      account_id: owner.credential.accountId,
      vault_id: newId('vlt_'),
      ingot_id: newId('ing_'),
      link_id: randomUUID(),
      ...actorOf(owner),
    });
    const { bus } = platform.harness;
    await bus.call(putIngotShare, { body: { ...action(), visibility: 'public' } }, internalContext());
    const expires_at = Math.floor(Date.now() / 1_000) + 300;
    const once = { ...action(), link_code: mintLinkCode(), expires_at };
    await bus.call(addOneTimeLink, { body: once }, internalContext());
    const { sparklinks } = await links.list({ type: 'ingot' }, owner);
    expect(sparklinks).toMatchObject([{ created_by: keyOf(owner) }, { created_by: keyOf(owner) }]);
    for (const link of sparklinks) expect(link).not.toHaveProperty('label');
  });

  it('is absent from rows that an instance of the release before has stored', async () => {
    const caller = accountContext();
    const { spark_id } = await platform.create({ payload: 'x' }, caller);
    await platform.sql(`UPDATE sparks SET creator_id = NULL, creator = NULL WHERE id = $1`, [spark_id]);
    expect((await listed(caller))[0]).not.toHaveProperty('created_by');
  });
});
