import { describe, expect, it } from '@jest/globals';
import { decode } from '@vaultsvc/contracts';
import { AuthorizationCode, IdentityToken, listApiKeys, removeUser } from '@vaultsvc/contracts/auth';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { deployments } from '../testing/deployments.js';
import { sessionContext } from '../testing/session-fixture.js';
import { firstOwner, tokenClaimsOf, SignInFixture } from '../testing/sign-in-fixture.js';
import { VerifyIdentity } from './verify-identity.handler.js';

const ten = Array.from({ length: 10 });
const ownerContext = (accountId: string, userId: string) =>
  accountContext({ kind: 'session', accountId, userId, role: 'owner' });
const twenty = Array.from({ length: 20 });

describe.each(deployments)('signing in with a %s', (_deployment, options) => {
  const fixture = useFixture(
    () => SignInFixture.start(options),
    (started) => started.stop(),
  );

  const identityOf = async (subject: string) =>
    (await fixture.rows(`SELECT * FROM identities WHERE subject = $1`, subject))[0];

  describe('OPEN-47: the identity', () => {
    it('AUTH-05 AUTH-06: is created with an identity-only session and every field of the answer', async () => {
      const { subject, email } = fixture.addProviderUser({ name: 'Ann' });
      const session = await fixture.signIn(subject);
      expect(session).toEqual({
        access_token: expect.stringMatching(/^ey/),
        refresh_token: expect.stringMatching(/^vkr_/),
        user: null,
        account: null,
        invitations: [],
      });
      const identity = await identityOf(subject);
      expect(identity).toMatchObject({ issuer: fixture.provider.issuer, email, name: 'Ann', user_id: null });
      expect(tokenClaimsOf(session)).toMatchObject({ sub: identity?.id, session_type: 'identity_only' });
      expect(identity?.id).toMatch(/^idn_[0-9A-Za-z]{22}$/);
      expect(await fixture.isLive(session)).toBe(true);
    });

    it('AUTH-08: is the same for every sign-in, by code or by ID token', async () => {
      const { subject } = fixture.addProviderUser();
      const sessions = [
        await fixture.signIn(subject),
        await fixture.signInByToken(subject),
        await fixture.signIn(subject, 'cookie'),
      ];
      expect(new Set(sessions.map((session) => tokenClaimsOf(session).sub)).size).toBe(1);
      expect(new Set(sessions.map((session) => tokenClaimsOf(session).sid)).size).toBe(3);
    });

    it('is created once by twenty concurrent first sign-ins, with twenty sessions', async () => {
      const { subject } = fixture.addProviderUser();
      const sessions = await Promise.all(twenty.map(() => fixture.signInByToken(subject)));
      expect(new Set(sessions.map((session) => tokenClaimsOf(session).sub)).size).toBe(1);
      expect(new Set(sessions.map((session) => tokenClaimsOf(session).sid)).size).toBe(20);
      expect(await fixture.rows(`SELECT 1 FROM identities WHERE subject = $1`, subject)).toHaveLength(1);
    });

    it('differs for the same subject of another issuer', async () => {
      const { subject, email } = fixture.addProviderUser();
      await fixture.rows(
        `INSERT INTO identities (id, issuer, subject, email, email_key) VALUES ('idn_x', 'https://other.example', $1, $2, $2)`,
        subject,
        email,
      );
      expect(tokenClaimsOf(await fixture.signIn(subject)).sub).not.toBe('idn_x');
    });

    it('OPEN-59: differs for subjects that differ in case, width, Unicode form or blanks', async () => {
      const { subject } = fixture.addProviderUser();
      const subjects = ['Ann\u00e9', 'ann\u00e9', 'Anne\u0301', '\uff21nn\u00e9', 'Ann\u00e9 '];
      const sessions = await Promise.all(
        subjects.map(async (sub) => fixture.verify(await fixture.provider.idToken(subject, { sub }))),
      );
      expect(new Set(sessions.map((session) => tokenClaimsOf(session).sub)).size).toBe(subjects.length);
      const rows = await fixture.rows(`SELECT subject FROM identities WHERE subject = ANY($1)`, subjects);
      expect(rows.map((row) => row['subject']).sort()).toEqual(subjects.sort());
    });

    it('is updated with a new address, and keeps a name that the provider no longer sends', async () => {
      const { subject } = fixture.addProviderUser({ name: 'Ann' });
      const first = await fixture.signIn(subject);
      fixture.provider.changeUser(subject, { email: 'Ann.New@Example.test', name: undefined });
      expect(tokenClaimsOf(await fixture.signIn(subject)).sub).toBe(tokenClaimsOf(first).sub);
      expect(await identityOf(subject)).toMatchObject({
        email: 'Ann.New@Example.test',
        email_key: 'ann.new@example.test',
        name: 'Ann',
      });
    });

    it('is not created for an unverified address or an invalid token', async () => {
      const { subject } = fixture.addProviderUser({ email_verified: false });
      await expect(fixture.signIn(subject)).rejects.toMatchObject({ reason: 'EMAIL_NOT_VERIFIED' });
      await expect(fixture.verify('e30.e30.e30')).rejects.toMatchObject({ reason: 'IDENTITY_REFUSED' });
      expect(await identityOf(subject)).toBeUndefined();
    });
  });

  describe('OPEN-62 OPEN-59: the owner of a first account', () => {
    it('AUTH-05 AUTH-06 AUTH-07: joins by the first sign-in, with the address and the name from the provider', async () => {
      const { subject, email } = fixture.addProviderUser({ name: 'Ann' });
      const { accountId, userIds } = await fixture.newAccount(firstOwner(email.toUpperCase()));
      const session = await fixture.signIn(subject);
      expect(session).toMatchObject({
        user: { user_id: userIds[0], email, name: 'Ann', role: 'owner' },
        account: { account_id: accountId, organization_name: 'Other organization', status: 'active' },
      });
      expect(tokenClaimsOf(session)).toMatchObject({
        sub: userIds[0],
        account_id: accountId,
        session_type: 'full',
      });
      expect(await fixture.rows(`SELECT status, version, seat FROM users WHERE id = $1`, userIds[0])).toEqual(
        [{ status: 'active', version: 2, seat: 'full' }],
      );
      const events = (await fixture.eventsOf(accountId)).filter(
        ({ payload }) => payload.user_id === userIds[0],
      );
      expect(events.map(({ name }) => name)).toEqual([
        'auth.user-added',
        'auth.user-joined',
        'auth.session-opened',
      ]);
      expect(JSON.stringify(events)).not.toContain('@');
      expect(await fixture.isLive(session)).toBe(true);
    });

    it('is the same user at the next sign-in, even with another address from the provider', async () => {
      const { subject, email } = fixture.addProviderUser();
      const { userIds } = await fixture.newAccount(firstOwner(email, { name: 'Given' }));
      expect((await fixture.signIn(subject)).user).toMatchObject({ user_id: userIds[0], name: 'Given' });
      fixture.provider.changeUser(subject, { email: 'ann.new@d.example.test' });
      expect((await fixture.signIn(subject)).user).toMatchObject({ user_id: userIds[0], email });
      expect(await fixture.rows(`SELECT version FROM users WHERE id = $1`, userIds[0])).toEqual([
        { version: 2 },
      ]);
    });

    it('joins after an earlier identity-only session too', async () => {
      const { subject, email } = fixture.addProviderUser();
      expect((await fixture.signIn(subject)).user).toBeNull();
      const { userIds } = await fixture.newAccount(firstOwner(email));
      expect((await fixture.signIn(subject)).user?.user_id).toBe(userIds[0]);
    });

    it('joins once when twenty sign-ins run concurrently', async () => {
      const { subject, email } = fixture.addProviderUser();
      const { accountId, userIds } = await fixture.newAccount(firstOwner(email));
      const sessions = await Promise.all(twenty.map(() => fixture.signInByToken(subject)));
      for (const { user } of sessions) expect(user?.user_id).toBe(userIds[0]);
      const joined = (await fixture.eventsOf(accountId)).filter(({ name }) => name === 'auth.user-joined');
      expect(joined).toHaveLength(1);
    });

    it('is linked to one of ten identities that sign in with its address', async () => {
      const { email } = fixture.addProviderUser();
      const { userIds } = await fixture.newAccount(firstOwner(email));
      const tokens = await Promise.all(
        ten.map(() => fixture.provider.idToken(fixture.addProviderUser({ email }).subject)),
      );
      const sessions = await Promise.all(tokens.map((token) => fixture.verify(token)));
      const users = sessions.filter(({ user }) => user !== null).map(({ user }) => user?.user_id);
      expect(users).toEqual([userIds[0]]);
    });

    it('is expected in vain by an identity whose address an active user has', async () => {
      const { subject, email } = fixture.addProviderUser();
      await fixture.newAccount(firstOwner(email));
      await fixture.newAccount(firstOwner(email, { status: 'active' }));
      expect((await fixture.signIn(subject)).user).toBeNull();
    });

    it('is linked to no other identity once active', async () => {
      const { subject, email } = fixture.addProviderUser();
      await fixture.newAccount(firstOwner(email, { status: 'active' }));
      expect(await fixture.signIn(subject)).toMatchObject({ user: null, account: null });
    });

    it('AUTH-12 DOM-13: joins only if no other organization claims the domain of the address', async () => {
      const { subject, email } = fixture.addProviderUser();
      const { accountId, userIds } = await fixture.newAccount(firstOwner(email));
      const other = await fixture.newAccount();
      await fixture.claim(other.accountId, email);
      expect((await fixture.signIn(subject)).user).toBeNull();
      expect(await fixture.rows(`SELECT status FROM users WHERE id = $1`, userIds[0])).toEqual([
        { status: 'invited' },
      ]);
      await fixture.release(email);
      await fixture.claim(accountId, email);
      expect((await fixture.signIn(subject)).user?.user_id).toBe(userIds[0]);
    });

    it('OPEN-59: neither joins nor signs in while the organization is suspended, and does afterwards', async () => {
      const { subject, email } = fixture.addProviderUser();
      const unjoined = fixture.addProviderUser();
      const { accountId, userIds } = await fixture.newAccount(firstOwner(email), firstOwner(unjoined.email));
      await fixture.signIn(subject);
      const suspend = (status: string) =>
        fixture.rows(
          `UPDATE accounts SET status = '${status}', version = version + 1 WHERE id = $1`,
          accountId,
        );
      await suspend('suspended');
      for (const each of [subject, unjoined.subject])
        await expect(fixture.signIn(each)).rejects.toMatchObject({ reason: 'ACCOUNT_SUSPENDED' });
      expect(await fixture.rows(`SELECT status FROM users WHERE id = $1`, userIds[1])).toEqual([
        { status: 'invited' },
      ]);
      await suspend('active');
      for (const [index, each] of [subject, unjoined.subject].entries())
        expect((await fixture.signIn(each)).user?.user_id).toBe(userIds[index]);
    });

    it('remains a user when another organization claims the domain later', async () => {
      const { subject, email } = fixture.addProviderUser();
      const { userIds } = await fixture.newAccount(firstOwner(email));
      await fixture.signIn(subject);
      await fixture.claim((await fixture.newAccount()).accountId, email);
      expect((await fixture.signIn(subject)).user?.user_id).toBe(userIds[0]);
    });

    it('has no user after the removal', async () => {
      const { subject, email } = fixture.addProviderUser();
      const { accountId, ownerId, userIds } = await fixture.newAccount(firstOwner(email));
      const before = await fixture.signIn(subject);
      const params = { user_id: userIds[0] as string };
      await fixture.harness.bus.call(removeUser, { params }, ownerContext(accountId, ownerId));
      expect(await fixture.isLive(before)).toBe(false);
      expect(await fixture.signIn(subject)).toMatchObject({ user: null, account: null });
    });

    it('has no live session after a removal concurrent with sign-ins, which all succeed', async () => {
      for (let round = 0; round < 5; round++) {
        const { subject, email } = fixture.addProviderUser();
        const { accountId, ownerId, userIds } = await fixture.newAccount(firstOwner(email));
        await fixture.signInByToken(subject);
        const params = { user_id: userIds[0] as string };
        const owner = ownerContext(accountId, ownerId);
        const [sessions] = await Promise.all([
          Promise.all(ten.map(() => fixture.signInByToken(subject))),
          fixture.harness.bus.call(removeUser, { params }, owner),
        ]);
        for (const session of sessions.filter(({ user }) => user !== null))
          expect(await fixture.isLive(session)).toBe(false);
        expect((await fixture.signInByToken(subject)).user).toBeNull();
      }
    });
  });

  it('OPEN-47: fails on an instance started without its provider until the provider is up, while API keys and sessions work', async () => {
    const { subject } = fixture.addProviderUser();
    const session = await fixture.signIn(subject);
    const token = await fixture.provider.idToken(subject);
    await fixture.provider.pause();
    const instance = await fixture.harness.start(auth, fixture.provider.settings);
    const input = { params: undefined, query: undefined, body: { token } };
    const attempt = () => instance.context.get(VerifyIdentity).handle(input, sessionContext());
    try {
      await expect(attempt()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
      const { context } = await mintApiKey(instance);
      await expect(
        fixture.harness.bus.call(listApiKeys, { query: { limit: 1 } }, context),
      ).resolves.toBeDefined();
      expect(await fixture.isLive(session)).toBe(true);
    } finally {
      await fixture.provider.resume();
    }
    const sessions = await Promise.all([attempt(), ...ten.map(() => fixture.signIn(subject))]);
    for (const { access_token: accessToken } of sessions) expect(accessToken).toMatch(/^ey/);
  });
});

describe('a new instance', () => {
  it('opens thirty sessions concurrently before a key is in memory', async () => {
    const fixture = await SignInFixture.start({ algorithm: 'EdDSA' }, { DATABASE_POOL_MAX: '4' });
    const users = Array.from({ length: 30 }, () => fixture.addProviderUser());
    const tokens = await Promise.all(users.map(({ subject }) => fixture.provider.idToken(subject)));
    const sessions = await Promise.all(tokens.map((token) => fixture.verify(token)));
    expect(new Set(sessions.map((session) => tokenClaimsOf(session).sub)).size).toBe(30);
    await fixture.stop();
  });
});

describe('validation of a sign-in', () => {
  const verifier = 'x'.repeat(43);
  const refusal = { reason: 'VALIDATION_ERROR' };

  it('AUTH-01: accepts a code of 1 to 512 characters', () => {
    for (const code of ['x', 'x'.repeat(512)])
      expect(decode(AuthorizationCode, { code, code_verifier: verifier })).toMatchObject({ code });
    for (const code of [undefined, null, '', 'x'.repeat(513), 7, ['x']])
      expect(() => decode(AuthorizationCode, { code, code_verifier: verifier })).toThrow(
        expect.objectContaining(refusal),
      );
  });

  it('AUTH-02: accepts a verifier of 43 to 128 unreserved characters', () => {
    for (const text of [verifier, 'x'.repeat(128), `${'x'.repeat(39)}-._~`])
      expect(decode(AuthorizationCode, { code: 'x', code_verifier: text })).toBeDefined();
    for (const text of [undefined, '', 'x'.repeat(42), 'x'.repeat(129), `${verifier}+`, `${verifier}\n`, 7])
      expect(() => decode(AuthorizationCode, { code: 'x', code_verifier: text })).toThrow(
        expect.objectContaining(refusal),
      );
  });

  it('AUTH-03: rejects any other field', () => {
    const body = { code: 'x', code_verifier: verifier };
    for (const extra of ['state', 'redirect_uri', 'refresh_token'])
      expect(() => decode(AuthorizationCode, { ...body, [extra]: 'x' })).toThrow(
        expect.objectContaining(refusal),
      );
  });

  it('AUTH-08: accepts a token of 1 to 4096 characters', () => {
    expect(decode(IdentityToken, { token: 'x'.repeat(4_096) })).toBeDefined();
    for (const token of [undefined, '', 'x'.repeat(4_097), 7])
      expect(() => decode(IdentityToken, { token })).toThrow(expect.objectContaining(refusal));
  });
});
