import { describe, expect, it } from '@jest/globals';
import { decode } from '@vaultsvc/contracts';
import { AuthorizationCode, IdentityToken, listApiKeys, removeUser } from '@vaultsvc/contracts/auth';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';
import { deployments } from '../testing/deployments.js';
import { sessionContext } from '../testing/sessions.js';
import { invited, sessionOf, SignInFixture } from '../testing/sign-in-fixture.js';
import { VerifyIdentity } from './verify-identity.handler.js';

const ten = Array.from({ length: 10 });
const twenty = Array.from({ length: 20 });

describe.each(deployments)('%s', (_deployment, options) => {
  const fixture = useFixture(
    () => SignInFixture.start(options),
    (started) => started.stop(),
  );

  const identityOf = async (subject: string) =>
    (await fixture.rows(`SELECT * FROM identities WHERE subject = $1`, subject))[0];

  describe('OPEN-47: the same person is the same identity', () => {
    it('AUTH-05 AUTH-06: a new one gets an identity-only session, with every field of the answer', async () => {
      const { subject, email } = fixture.newPerson({ name: 'Ann' });
      const session = await fixture.signIn(subject);
      expect(session).toEqual({
        access_token: expect.stringMatching(/^ey/),
        refresh_token: expect.stringMatching(/^vkr_/),
        user: null,
        account: null,
      });
      const identity = await identityOf(subject);
      expect(identity).toMatchObject({ issuer: fixture.provider.issuer, email, name: 'Ann', user_id: null });
      expect(sessionOf(session)).toMatchObject({ sub: identity?.id, session_type: 'identity_only' });
      expect(identity?.id).toMatch(/^idn_[0-9A-Za-z]{22}$/);
      expect(await fixture.isLive(session)).toBe(true);
    });

    it('AUTH-08: by code or by ID token, once or often, it is one', async () => {
      const { subject } = fixture.newPerson();
      const sessions = [
        await fixture.signIn(subject),
        await fixture.verify(await fixture.provider.idToken(subject)),
        await fixture.signIn(subject, 'cookie'),
      ];
      expect(new Set(sessions.map((session) => sessionOf(session).sub)).size).toBe(1);
      expect(new Set(sessions.map((session) => sessionOf(session).sid)).size).toBe(3);
    });

    it('twenty first sign-ins at once are one identity and twenty sessions', async () => {
      const { subject } = fixture.newPerson();
      const token = await fixture.provider.idToken(subject);
      const sessions = await Promise.all(twenty.map(() => fixture.verify(token)));
      expect(new Set(sessions.map((session) => sessionOf(session).sub)).size).toBe(1);
      expect(new Set(sessions.map((session) => sessionOf(session).sid)).size).toBe(20);
      expect(await fixture.rows(`SELECT 1 FROM identities WHERE subject = $1`, subject)).toHaveLength(1);
    });

    it('a subject of another issuer is another person', async () => {
      const { subject, email } = fixture.newPerson();
      await fixture.rows(
        `INSERT INTO identities (id, issuer, subject, email, email_key) VALUES ('idn_x', 'https://other.example', $1, $2, $2)`,
        subject,
        email,
      );
      expect(sessionOf(await fixture.signIn(subject)).sub).not.toBe('idn_x');
    });

    it('a new address at the provider is the newest of the identity; a name that is no longer told stays', async () => {
      const { subject } = fixture.newPerson({ name: 'Ann' });
      const first = await fixture.signIn(subject);
      fixture.provider.changePerson(subject, { email: 'Ann.New@Example.test', name: undefined });
      expect(sessionOf(await fixture.signIn(subject)).sub).toBe(sessionOf(first).sub);
      expect(await identityOf(subject)).toMatchObject({
        email: 'Ann.New@Example.test',
        email_key: 'ann.new@example.test',
        name: 'Ann',
      });
    });

    it('whoever the provider does not confirm leaves nothing behind', async () => {
      const { subject } = fixture.newPerson({ email_verified: false });
      await expect(fixture.signIn(subject)).rejects.toMatchObject({ reason: 'EMAIL_NOT_VERIFIED' });
      await expect(fixture.verify('e30.e30.e30')).rejects.toMatchObject({ reason: 'IDENTITY_REFUSED' });
      expect(await identityOf(subject)).toBeUndefined();
    });
  });

  describe('OPEN-59: who was invited joins by signing in', () => {
    it('AUTH-05 AUTH-06 AUTH-07: at once, with role and seat of the invitation and the name of the provider', async () => {
      const { subject, email } = fixture.newPerson({ name: 'Ann' });
      const { accountId, userIds } = await fixture.newAccount(invited(email.toUpperCase()));
      const session = await fixture.signIn(subject);
      expect(session).toMatchObject({
        user: { user_id: userIds[0], email: email.toUpperCase(), name: 'Ann', role: 'member' },
        account: { account_id: accountId, organization_name: 'Other organization', status: 'active' },
      });
      expect(sessionOf(session)).toMatchObject({
        sub: userIds[0],
        account_id: accountId,
        session_type: 'full',
      });
      expect(await fixture.rows(`SELECT status, version, seat FROM users WHERE id = $1`, userIds[0])).toEqual(
        [{ status: 'active', version: 2, seat: 'viewer' }],
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

    it('and is the same user the next time, whatever address the provider tells by then', async () => {
      const { subject, email } = fixture.newPerson();
      const { userIds } = await fixture.newAccount(invited(email, { name: 'Given' }));
      expect((await fixture.signIn(subject)).user).toMatchObject({ user_id: userIds[0], name: 'Given' });
      fixture.provider.changePerson(subject, { email: 'elsewhere@d.example.test' });
      expect((await fixture.signIn(subject)).user).toMatchObject({ user_id: userIds[0], email });
      expect(await fixture.rows(`SELECT version FROM users WHERE id = $1`, userIds[0])).toEqual([
        { version: 2 },
      ]);
    });

    it('an identity-only session before the invitation does not stand in the way', async () => {
      const { subject, email } = fixture.newPerson();
      expect((await fixture.signIn(subject)).user).toBeNull();
      const { userIds } = await fixture.newAccount(invited(email));
      expect((await fixture.signIn(subject)).user?.user_id).toBe(userIds[0]);
    });

    it('twenty times at once: one user, joined once', async () => {
      const { subject, email } = fixture.newPerson();
      const { accountId, userIds } = await fixture.newAccount(invited(email));
      const token = await fixture.provider.idToken(subject);
      const sessions = await Promise.all(twenty.map(() => fixture.verify(token)));
      for (const { user } of sessions) expect(user?.user_id).toBe(userIds[0]);
      const joined = (await fixture.eventsOf(accountId)).filter(({ name }) => name === 'auth.user-joined');
      expect(joined).toHaveLength(1);
    });

    it('of ten people with one address, one joins', async () => {
      const { email } = fixture.newPerson();
      const { userIds } = await fixture.newAccount(invited(email));
      const tokens = await Promise.all(
        ten.map(() => fixture.provider.idToken(fixture.newPerson({ email }).subject)),
      );
      const sessions = await Promise.all(tokens.map((token) => fixture.verify(token)));
      const users = sessions.filter(({ user }) => user !== null).map(({ user }) => user?.user_id);
      expect(users).toEqual([userIds[0]]);
    });

    it("an active user's address gives nobody else that user", async () => {
      const { subject, email } = fixture.newPerson();
      await fixture.newAccount(invited(email, { role: 'owner', status: 'active' }));
      expect(await fixture.signIn(subject)).toMatchObject({ user: null, account: null });
    });

    it("AUTH-12 DOM-13: a claim of another organization wins over the invitation, the account's own does not", async () => {
      const { subject, email } = fixture.newPerson();
      const { accountId, userIds } = await fixture.newAccount(invited(email));
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

    it('OPEN-59: a suspended organization opens no session and lets nobody join; afterwards it does', async () => {
      const { subject, email } = fixture.newPerson();
      const guest = fixture.newPerson();
      const { accountId, userIds } = await fixture.newAccount(invited(email), invited(guest.email));
      await fixture.signIn(subject);
      const suspend = (status: string) =>
        fixture.rows(
          `UPDATE accounts SET status = '${status}', version = version + 1 WHERE id = $1`,
          accountId,
        );
      await suspend('suspended');
      for (const person of [subject, guest.subject])
        await expect(fixture.signIn(person)).rejects.toMatchObject({ reason: 'ACCOUNT_SUSPENDED' });
      expect(await fixture.rows(`SELECT status FROM users WHERE id = $1`, userIds[1])).toEqual([
        { status: 'invited' },
      ]);
      await suspend('active');
      for (const [index, person] of [subject, guest.subject].entries())
        expect((await fixture.signIn(person)).user?.user_id).toBe(userIds[index]);
    });

    it('who has joined stays when another organization claims the domain', async () => {
      const { subject, email } = fixture.newPerson();
      const { userIds } = await fixture.newAccount(invited(email));
      await fixture.signIn(subject);
      await fixture.claim((await fixture.newAccount()).accountId, email);
      expect((await fixture.signIn(subject)).user?.user_id).toBe(userIds[0]);
    });

    it('who was removed is nobody again, and may be invited by others', async () => {
      const { subject, email } = fixture.newPerson();
      const { accountId, userIds } = await fixture.newAccount(invited(email));
      const before = await fixture.signIn(subject);
      const params = { user_id: userIds[0] as string };
      await fixture.harness.bus.call(removeUser, { params }, accountContext({ accountId }));
      expect(await fixture.isLive(before)).toBe(false);
      expect(await fixture.signIn(subject)).toMatchObject({ user: null, account: null });
      const again = await fixture.newAccount(invited(email));
      expect((await fixture.signIn(subject)).user?.user_id).toBe(again.userIds[0]);
    });

    it('a removal and a sign-in at once end without an error and without a live session of the removed', async () => {
      for (let round = 0; round < 5; round++) {
        const { subject, email } = fixture.newPerson();
        const { accountId, userIds } = await fixture.newAccount(invited(email));
        const token = await fixture.provider.idToken(subject);
        await fixture.verify(token);
        const params = { user_id: userIds[0] as string };
        const [sessions] = await Promise.all([
          Promise.all(ten.map(() => fixture.verify(token))),
          fixture.harness.bus.call(removeUser, { params }, accountContext({ accountId })),
        ]);
        for (const session of sessions.filter(({ user }) => user !== null))
          expect(await fixture.isLive(session)).toBe(false);
        expect((await fixture.verify(token)).user).toBeNull();
      }
    });
  });

  it('OPEN-47: a service that starts without its provider serves keys and sessions, and signs in when it returns', async () => {
    const { subject } = fixture.newPerson();
    const session = await fixture.signIn(subject);
    const token = await fixture.provider.idToken(subject);
    await fixture.provider.pause();
    const copy = await fixture.harness.start(auth, fixture.provider.settings);
    const input = { params: undefined, query: undefined, body: { token } };
    const attempt = () => copy.context.get(VerifyIdentity).handle(input, sessionContext());
    try {
      await expect(attempt()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', status: 500 });
      const { context } = await mintApiKey(copy);
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

describe('a service that has just started', () => {
  it('opens thirty sessions of thirty people at once, although no key is in memory yet', async () => {
    const fixture = await SignInFixture.start({ algorithm: 'EdDSA' }, { DATABASE_POOL_MAX: '4' });
    const people = Array.from({ length: 30 }, () => fixture.newPerson());
    const tokens = await Promise.all(people.map(({ subject }) => fixture.provider.idToken(subject)));
    const sessions = await Promise.all(tokens.map((token) => fixture.verify(token)));
    expect(new Set(sessions.map((session) => sessionOf(session).sub)).size).toBe(30);
    await fixture.stop();
  });
});

describe('what a sign-in may say', () => {
  const verifier = 'x'.repeat(43);
  const refusal = { reason: 'VALIDATION_ERROR' };

  it('AUTH-01: a code of 1 to 512 characters', () => {
    for (const code of ['x', 'x'.repeat(512)])
      expect(decode(AuthorizationCode, { code, code_verifier: verifier })).toMatchObject({ code });
    for (const code of [undefined, null, '', 'x'.repeat(513), 7, ['x']])
      expect(() => decode(AuthorizationCode, { code, code_verifier: verifier })).toThrow(
        expect.objectContaining(refusal),
      );
  });

  it('AUTH-02: a verifier of 43 to 128 unreserved characters', () => {
    for (const text of [verifier, 'x'.repeat(128), `${'x'.repeat(39)}-._~`])
      expect(decode(AuthorizationCode, { code: 'x', code_verifier: text })).toBeDefined();
    for (const text of [undefined, '', 'x'.repeat(42), 'x'.repeat(129), `${verifier}+`, `${verifier}\n`, 7])
      expect(() => decode(AuthorizationCode, { code: 'x', code_verifier: text })).toThrow(
        expect.objectContaining(refusal),
      );
  });

  it('AUTH-03: nothing else', () => {
    const body = { code: 'x', code_verifier: verifier };
    for (const extra of ['state', 'redirect_uri', 'refresh_token'])
      expect(() => decode(AuthorizationCode, { ...body, [extra]: 'x' })).toThrow(
        expect.objectContaining(refusal),
      );
  });

  it('AUTH-08: a token of 1 to 4096 characters', () => {
    expect(decode(IdentityToken, { token: 'x'.repeat(4_096) })).toBeDefined();
    for (const token of [undefined, '', 'x'.repeat(4_097), 7])
      expect(() => decode(IdentityToken, { token })).toThrow(expect.objectContaining(refusal));
  });
});
