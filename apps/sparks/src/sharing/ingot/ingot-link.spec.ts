import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode, type CallInput, type Operation, type OperationSpec } from '@vaultsvc/contracts';
import {
  addOneTimeLink,
  deliverLink,
  IngotShare,
  IngotShareTerms,
  inviteToShare,
  putIngotShare,
  readIngotShare,
  resendShareInvite,
  revokeLinks,
  withdrawShareInvite,
  type LinkRevocation,
} from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { mintLinkCode } from '@vaultsvc/crypto/tokens';
import { Database } from '@vaultsvc/database';
import { accountContext, internalContext, readReason, reasonOf } from '@vaultsvc/testing/harness';
import { SYSTEM } from '../../link/link-events-sql.js';
import { LinkTerminationRepository } from '../../link/link-termination.repository.js';
import { linksOf } from '../../testing/links.js';
import { usePlatform } from '../../testing/platform.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let links: ReturnType<typeof linksOf>;
beforeAll(async () => {
  links = linksOf(platform);
});

const call = <S extends OperationSpec>(op: Operation<S>, body: object) =>
  platform.harness.bus.call(op, { body } as unknown as CallInput<S>, internalContext('req_of_vaults'));

/** The ids of a link of a new ingot, as vaults chooses them, with the owner's account. */
function fresh(accountId = newId('acc_')) {
  const act = {
    account_id: accountId,
    vault_id: newId('vlt_'),
    ingot_id: newId('ing_'),
    link_id: randomUUID(),
    actor_type: 'api_key',
    actor_id: 'key_1',
  } as const;
  return { act, owner: accountContext({ accountId }) };
}
const put = (act: object, terms: object = {}) => call(putIngotShare, { ...act, ...terms });
const shared = async (terms: object = { visibility: 'public' }) => {
  const made = fresh();
  return { ...made, share: await put(made.act, terms) };
};
const oneTime = async (act: object, expires_at = Math.floor(Date.now() / 1_000) + 300) => {
  const link = { ...act, link_id: randomUUID(), link_code: mintLinkCode(), expires_at };
  return { ...link, ...(await call(addOneTimeLink, link)) };
};
const names = async (ingotId: string) => (await links.publishedEvents(ingotId)).map(({ name }) => name);
const statuses = async (owner: ReturnType<typeof accountContext>) =>
  (await links.list({ type: 'ingot' }, owner)).sparklinks.map(({ status }) => status).sort();

describe('putIngotShare, the durable link of an ingot', () => {
  it('SHR-05 SHR-06 LNK-23: creates a link on the files origin that never expires and is listed with its ingot and vault', async () => {
    const { act, owner, share } = await shared({ visibility: 'invite_only', invites: ['ann@example.test'] });
    expect(share).toEqual({
      link_code: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      link_url: `http://127.0.0.1:8083/${share.link_code}`,
      visibility: 'invite_only',
      invites: [
        {
          invite_id: expect.stringMatching(/^inv_/),
          identity: 'ann@example.test',
          type: 'email',
          created_at: expect.any(Number),
        },
      ],
      created_at: expect.any(Number),
    });
    expect(decode(IngotShare, share)).toEqual(share);
    expect(await call(readIngotShare, act)).toEqual(share);
    expect((await links.list({ type: 'ingot' }, owner)).sparklinks).toEqual([
      {
        link_id: act.link_id,
        link_code: share.link_code,
        link_url: share.link_url,
        link_type: 'ingot',
        asset_id: act.ingot_id,
        vault_id: act.vault_id,
        visibility: 'invite_only',
        invites: ['ann@example.test'],
        status: 'active',
        expires_at: null,
        created_at: share.created_at,
        created_by: { kind: 'api_key', id: 'key_1', name: null },
      },
    ]);
  });

  it('SHR-03: requires a visibility for the first share', async () => {
    const { act } = fresh();
    await expect(put(act)).rejects.toMatchObject({
      reason: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'visibility' }] },
    });
  });

  it('SHR-04 LNK-20: keeps absent fields, replaces the invites by a list, and publishes each change once', async () => {
    const { act, share } = await shared({
      visibility: 'invite_only',
      invites: ['ann@example.test', 'bo@example.test'],
    });
    expect(await put(act)).toEqual(share);
    expect(await put(act, { visibility: 'public' })).toEqual({ ...share, visibility: 'public' });
    const changed = await put(act, { invites: ['BO@example.test', '+4930123456'] });
    expect(changed.invites.map(({ identity, type }) => [identity, type])).toEqual([
      ['bo@example.test', 'email'],
      ['+4930123456', 'phone'],
    ]);
    expect(changed.invites[0]).toEqual(share.invites[1]);
    expect(await names(act.ingot_id)).toEqual([
      'sparks.sparklink-created',
      'sparks.sparklink-updated',
      'sparks.sparklink-updated',
    ]);
    expect(await links.enqueuedMessages(act.account_id)).toHaveLength(3);
  });

  it('LNK-10 LNK-20: creates one link, event and invitation for twenty concurrent equal calls', async () => {
    const { act } = fresh();
    const terms = { visibility: 'invite_only', invites: ['ann@example.test'] };
    const shares = await Promise.all(Array.from({ length: 20 }, () => put(act, terms)));
    for (const share of shares) expect(share).toEqual(shares[0]);
    expect(await names(act.ingot_id)).toEqual(['sparks.sparklink-created']);
    expect(await links.enqueuedMessages(act.account_id)).toHaveLength(1);
  });

  it('LNK-10: revokes the predecessor when vaults chooses a new link id', async () => {
    const { act, owner, share } = await shared();
    const next = { ...act, link_id: randomUUID() };
    expect((await put(next, { visibility: 'public' })).link_code).not.toBe(share.link_code);
    expect(await statuses(owner)).toEqual(['active', 'revoked']);
    expect(await names(act.ingot_id)).toEqual([
      'sparks.sparklink-created',
      'sparks.sparklink-revoked',
      'sparks.sparklink-created',
    ]);
  });

  it('SHR-05: rejects an id of another account, ingot or one-time link, and changes neither link', async () => {
    const { act, owner, share } = await shared();
    const mine = { ...fresh().act, visibility: 'public' };
    const other = await oneTime(act);
    for (const body of [
      { ...mine, link_id: act.link_id },
      { ...mine, account_id: act.account_id, link_id: act.link_id },
      { ...mine, link_id: other.link_id },
      { ...act, visibility: 'public', link_id: other.link_id },
    ])
      expect(await reasonOf(call(putIngotShare, body))).toBe('LINK_REVOKED');
    expect(await call(readIngotShare, act)).toEqual(share);
    expect(await statuses(owner)).toEqual(['active', 'active']);
  });

  it('SHR-07: does not recreate, read or change a revoked link', async () => {
    const { act, owner, share } = await shared();
    await links.remove(share.link_code, owner);
    expect(await reasonOf(put(act, { visibility: 'public' }))).toBe('LINK_REVOKED');
    expect(await reasonOf(call(readIngotShare, act))).toBe('LINK_NOT_FOUND');
    const invitation = { ...act, identity: 'ann@example.test' };
    expect(await reasonOf(call(inviteToShare, invitation))).toBe('LINK_NOT_FOUND');
  });

  it('ENV-41: does not find a link of another account or ingot, or a one-time link', async () => {
    const { act } = await shared();
    const once = await oneTime(act);
    for (const other of [
      { account_id: newId('acc_') },
      { ingot_id: newId('ing_') },
      { link_id: once.link_id },
      { link_id: randomUUID() },
    ]) {
      expect(await reasonOf(call(readIngotShare, { ...act, ...other }))).toBe('LINK_NOT_FOUND');
      expect(await reasonOf(call(inviteToShare, { ...act, ...other, identity: 'a@example.test' }))).toBe(
        'LINK_NOT_FOUND',
      );
    }
  });

  it('SHR-04 AMB-37: accepts 100 invites and no more', async () => {
    const invites = Array.from({ length: 100 }, (_, n) => `guest${n}@example.test`);
    const { act, share } = await shared({ visibility: 'invite_only', invites });
    expect(share.invites.map(({ identity }) => identity)).toEqual(invites);
    expect(await reasonOf(call(inviteToShare, { ...act, identity: 'late@example.test' }))).toBe(
      'INVITES_EXHAUSTED',
    );
    expect(() =>
      decode(IngotShareTerms, { ...act, visibility: 'public', invites: [...invites, 'late@example.test'] }),
    ).toThrow(expect.objectContaining({ reason: 'VALIDATION_ERROR' }));
  });
});

describe('invites of a durable link', () => {
  const invite = (act: object, identity: string) => call(inviteToShare, { ...act, identity });
  const forGuests = () => shared({ visibility: 'invite_only' });

  it('SHR-09: lists an invitee and enqueues an invitation; rejects the same identity again', async () => {
    const { act } = await forGuests();
    const made = await invite(act, '+4930123456');
    expect(made).toEqual({
      invite_id: expect.stringMatching(/^inv_/),
      identity: '+4930123456',
      type: 'phone',
      created_at: expect.any(Number),
    });
    expect((await call(readIngotShare, act)).invites).toEqual([made]);
    expect(await links.enqueuedMessages(act.account_id)).toHaveLength(1);
    expect(await reasonOf(invite(act, '+4930123456'))).toBe('INVITE_TAKEN');
    expect(await names(act.ingot_id)).toEqual(['sparks.sparklink-created', 'sparks.sparklink-updated']);
  });

  it('SHR-09 LNK-20: adds one invite for twenty concurrent equal calls, and all ten for ten different ones', async () => {
    const { act } = await forGuests();
    const same = await Promise.all(
      Array.from({ length: 20 }, () => invite(act, 'ann@example.test').then(() => 'done', readReason)),
    );
    expect(same.filter((outcome) => outcome === 'done')).toHaveLength(1);
    await Promise.all(Array.from({ length: 10 }, (_, n) => invite(act, `guest${n}@example.test`)));
    expect((await call(readIngotShare, act)).invites).toHaveLength(11);
    expect(await links.enqueuedMessages(act.account_id)).toHaveLength(11);
  });

  it.each(['public', 'authenticated'])(
    'AMB-37: cannot be added to a link with visibility %s',
    async (visibility) => {
      const { act, share } = await shared({ visibility });
      await expect(invite(act, 'ann@example.test')).rejects.toMatchObject({
        reason: 'VALIDATION_ERROR',
        details: { fields: [{ field: 'identity' }] },
      });
      expect(await call(readIngotShare, act)).toEqual(share);
      expect(await links.enqueuedMessages(act.account_id)).toEqual([]);
    },
  );

  it('AMB-37: are never those of a public link after a concurrent change of visibility', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { act } = await forGuests();
      await Promise.all([
        invite(act, 'ann@example.test').catch(readReason),
        put(act, { visibility: 'public', invites: [] }),
      ]);
      expect(await call(readIngotShare, act)).toMatchObject({ visibility: 'public', invites: [] });
    }
  });

  it('SHR-10: removes a withdrawn invite from the list; twenty concurrent calls withdraw it once', async () => {
    const { act, share } = await shared({
      visibility: 'invite_only',
      invites: ['ann@example.test', 'bo@example.test'],
    });
    const [ann, bo] = share.invites;
    const withdraw = () => call(withdrawShareInvite, { ...act, invite_id: ann?.invite_id });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => withdraw().then(() => 'done', readReason)),
    );
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['done', 'INVITE_NOT_FOUND']));
    expect((await call(readIngotShare, act)).invites).toEqual([bo]);
    expect(await names(act.ingot_id)).toEqual(['sparks.sparklink-created', 'sparks.sparklink-updated']);
  });

  it('SHR-11: resending enqueues one more message and changes nothing', async () => {
    const { act, share } = await shared({ visibility: 'invite_only', invites: ['ann@example.test'] });
    const sent = await call(resendShareInvite, { ...act, invite_id: share.invites[0]?.invite_id });
    expect(sent).toEqual({ sent_at: expect.any(Number) });
    const enqueuedMessages = await links.enqueuedMessages(act.account_id);
    expect(enqueuedMessages.map(({ payload }) => payload['kind'])).toEqual(['invitation', 'invitation']);
    expect(await names(act.ingot_id)).toEqual(['sparks.sparklink-created']);
  });

  it('SHR-10 SHR-11: do not find an invite of another link', async () => {
    const [own, other] = [
      await shared(),
      await shared({ visibility: 'invite_only', invites: ['ann@example.test'] }),
    ];
    for (const invite_id of [newId('inv_'), other.share.invites[0]?.invite_id])
      for (const op of [withdrawShareInvite, resendShareInvite])
        expect(await reasonOf(call(op, { ...own.act, invite_id }))).toBe('INVITE_NOT_FOUND');
    expect((await call(readIngotShare, other.act)).invites).toHaveLength(1);
  });
});

describe('a link that a concurrent call ends during its creation', () => {
  /** Runs `change` at the end of the transaction that creates a link, before the creator reads the link again. */
  const atMaking = async (change: string, make: () => Promise<unknown>) => {
    await platform.sql(`CREATE FUNCTION overtake() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN ${change} WHERE id = NEW.id; RETURN NULL; END $$`);
    await platform.sql(`CREATE CONSTRAINT TRIGGER overtake AFTER INSERT ON sparklinks DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION overtake()`);
    try {
      return await make();
    } finally {
      await platform.sql(`DROP FUNCTION overtake CASCADE`);
    }
  };
  const removed = 'DELETE FROM sparklinks';
  const revoked = `UPDATE sparklinks SET status = 'revoked', revoked_at = now()`;

  it('SHR-12: is reported as created when it is a one-time link', async () => {
    const { act } = fresh();
    const made = await atMaking(removed, () => oneTime(act));
    expect(made).toMatchObject({ created_at: expect.any(Number) });
    expect(await platform.sql(`SELECT FROM sparklinks WHERE asset_id = $1`, [act.ingot_id])).toEqual([]);
  });

  it.each([removed, revoked])('SHR-07: is reported as revoked when it is durable: %s', async (change) => {
    const { act } = fresh();
    const reason = await atMaking(change, () => reasonOf(put(act, { visibility: 'public' })));
    expect(reason).toBe('LINK_REVOKED');
  });
});

describe('one-time links of an ingot', () => {
  it('SHR-12 SHR-15 AMB-09: are listed beside the durable link, on the link origin, with their expiry', async () => {
    const { act, owner, share } = await shared();
    const once = await oneTime(act);
    expect(once.link_url).toBe(`http://127.0.0.1:8082/${once.link_code}`);
    const { sparklinks } = await links.list({}, owner);
    expect(sparklinks.map(({ link_code }) => link_code)).toEqual([once.link_code, share.link_code]);
    expect(sparklinks[0]).toEqual({
      link_id: once.link_id,
      link_code: once.link_code,
      link_url: once.link_url,
      link_type: 'ingot',
      asset_id: act.ingot_id,
      vault_id: act.vault_id,
      visibility: 'public',
      invites: [],
      status: 'active',
      expires_at: once.expires_at,
      created_at: once.created_at,
      created_by: { kind: 'api_key', id: 'key_1', name: null },
    });
  });

  it('LNK-20: ten equal calls add one link and publish one event', async () => {
    const { act, owner } = fresh();
    const link = { ...act, link_code: mintLinkCode(), expires_at: Math.floor(Date.now() / 1_000) + 300 };
    const added = await Promise.all(Array.from({ length: 10 }, () => call(addOneTimeLink, link)));
    for (const each of added) expect(each).toEqual(added[0]);
    expect((await links.list({}, owner)).count).toBe(1);
    expect(await names(act.ingot_id)).toEqual(['sparks.sparklink-created']);
  });

  it('SHR-12 ENV-41: are not reported as created when a link of another code or account has their id', async () => {
    const { act, owner } = fresh();
    const link = { ...act, link_code: mintLinkCode(), expires_at: Math.floor(Date.now() / 1_000) + 300 };
    await call(addOneTimeLink, link);
    for (const other of [{ link_code: mintLinkCode() }, { account_id: newId('acc_') }])
      expect(await reasonOf(call(addOneTimeLink, { ...link, ...other }))).toBe('INTERNAL_ERROR');
    expect((await links.list({}, owner)).sparklinks).toMatchObject([{ link_code: link.link_code }]);
  });

  it('SHR-14: a delivery enqueues a message to an e-mail address or a phone number', async () => {
    const { act } = fresh();
    const { link_code } = await oneTime(act);
    const deliver = (identity: string) => call(deliverLink, { ...act, link_code, identity });
    expect(await deliver('ann@example.test')).toEqual({ delivered_at: expect.any(Number) });
    await deliver('+4930123456');
    expect(
      (await links.enqueuedMessages(act.account_id)).map(({ payload }) => [
        payload['kind'],
        payload['channel'],
      ]),
    ).toEqual([
      ['delivery', 'email'],
      ['delivery', 'phone'],
    ]);
  });

  it('SHR-14 LNK-07: are the only links that a delivery finds', async () => {
    const { act, share } = await shared();
    const { link_code } = await oneTime(act);
    const identity = 'ann@example.test';
    for (const other of [
      { link_code: 'no code' },
      { link_code: mintLinkCode() },
      { link_code: share.link_code },
      { link_code, account_id: newId('acc_') },
      { link_code, vault_id: newId('vlt_') },
      { link_code, ingot_id: newId('ing_') },
    ])
      expect(await reasonOf(call(deliverLink, { ...act, identity, ...other }))).toBe('SPARKLINK_NOT_FOUND');
    expect(await links.enqueuedMessages(act.account_id)).toEqual([]);
  });

  it.each([
    [`status = 'consumed', consumed_at = now()`, 'LINK_CONSUMED', 'consumed'],
    [`status = 'revoked', revoked_at = now()`, 'LINK_REVOKED', 'revoked'],
    [`expires_at = now()`, 'LINK_EXPIRED', 'expired'],
  ])('SHR-14: a link with %s is not delivered', async (change, reason, state) => {
    const { act } = fresh();
    const { link_id, link_code } = await oneTime(act);
    await platform.sql(`UPDATE sparklinks SET ${change} WHERE id = $1`, [link_id]);
    await expect(
      call(deliverLink, { ...act, link_code, identity: 'ann@example.test' }),
    ).rejects.toMatchObject({
      reason,
      details: { state },
    });
    expect(await links.enqueuedMessages(act.account_id)).toEqual([]);
  });
});

describe('the end of shares, ingots and vaults', () => {
  const revoke = (revocation: Partial<LinkRevocation>) => call(revokeLinks, revocation);
  const actor = { actor_type: 'api_key', actor_id: 'key_1' } as const;
  const nobody = { actor_type: null, actor_id: null };

  it('SHR-07 SHR-16 AMB-36: unsharing revokes the durable link with one event; one-time links stay active', async () => {
    const { act, owner } = await shared();
    await oneTime(act);
    await Promise.all(Array.from({ length: 20 }, () => revoke({ ...act, ...actor, reason: 'unshared' })));
    expect(await statuses(owner)).toEqual(['active', 'revoked']);
    const publishedEvents = (await links.publishedEvents(act.ingot_id)).filter(
      ({ name }) => name === 'sparks.sparklink-revoked',
    );
    expect(publishedEvents).toHaveLength(1);
    expect(publishedEvents[0]?.payload).toMatchObject({ ...actor, link_id: act.link_id });
  });

  it('SHR-16 LNK-10 ENV-41: revoking the predecessor of a link keeps that link, one-time links and those of other accounts', async () => {
    const { act, owner, share } = await shared();
    await oneTime(act);
    const { context } = platform.service;
    const unshare = async (accountId: string, exceptId: string | null) => {
      const [terminations, ofIngot] = [
        context.get(LinkTerminationRepository),
        { assetId: act.ingot_id, accountId },
      ];
      const codes = await terminations.codesOf(ofIngot);
      const cause = { actor: SYSTEM, requestId: null };
      await terminations.unshare(context.get(Database), ofIngot, codes, cause, exceptId);
    };
    await unshare(act.account_id, act.link_id);
    await unshare(newId('acc_'), null);
    expect(await call(readIngotShare, act)).toEqual(share);
    expect(await statuses(owner)).toEqual(['active', 'active']);
    expect(await names(act.ingot_id)).toEqual(['sparks.sparklink-created', 'sparks.sparklink-created']);
  });

  it('AMB-36: deleting an ingot deletes all its links, one event each, and no others', async () => {
    const { act, owner } = await shared();
    const once = await oneTime(act);
    const neighbour = { ...act, ingot_id: newId('ing_'), link_id: randomUUID() };
    await put(neighbour, { visibility: 'public' });
    const ingot = { account_id: act.account_id, vault_id: act.vault_id, ingot_id: act.ingot_id };
    await Promise.all(
      Array.from({ length: 5 }, () => revoke({ ...ingot, link_id: null, ...nobody, reason: 'removed' })),
    );
    expect((await links.list({}, owner)).sparklinks.map(({ asset_id }) => asset_id)).toEqual([
      neighbour.ingot_id,
    ]);
    expect(await reasonOf(links.read(once.link_code, owner))).toBe('SPARKLINK_NOT_FOUND');
    const publishedEvents = (await links.publishedEvents(act.ingot_id)).filter(
      ({ name }) => name === 'sparks.sparklink-deleted',
    );
    expect(publishedEvents.map(({ payload }) => [payload['actor_type'], payload['actor_id']])).toEqual([
      ['system', null],
      ['system', null],
    ]);
  });

  it('ENV-41: ends nothing of another account', async () => {
    const { act, owner } = await shared();
    for (const reason of ['unshared', 'removed'] as const)
      await revoke({ ...act, account_id: newId('acc_'), ...nobody, reason });
    expect(await statuses(owner)).toEqual(['active']);
  });

  it('AMB-36: deleting a vault deletes more links than one batch', async () => {
    const { act, owner } = await shared();
    await platform.sql(
      `INSERT INTO sparklinks (code_hash, kid, sealed_code, asset_id, account_id, vault_id, link_type, visibility, is_managed, expires_at)
       SELECT decode(md5($1 || n), 'hex'), 'k', '\\x00', $1, $2, $3, 'ingot', 'public', false, now() FROM generate_series(1, 1100) n`,
      [act.ingot_id, act.account_id, act.vault_id],
    );
    const { account_id, vault_id } = act;
    await revoke({ account_id, vault_id, ingot_id: null, link_id: null, ...nobody, reason: 'removed' });
    expect((await links.list({}, owner)).count).toBe(0);
    expect((await names(act.ingot_id)).filter((name) => name === 'sparks.sparklink-deleted')).toHaveLength(
      1_101,
    );
  });
});
