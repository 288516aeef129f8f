import { describe, expect, it } from '@jest/globals';
import { decode, type CallContext } from '@vaultsvc/contracts';
import { completeSignup, inviteUser, listApiKeys, SignUp } from '@vaultsvc/contracts/auth';
import { CredentialCache } from '@vaultsvc/limits';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { sessionCacheKey } from '../credentials/credential-records.js';
import { deployments } from '../testing/deployments.js';
import { sessionContext } from '../testing/sessions.js';
import { invited, sessionOf, SignInFixture } from '../testing/sign-in-fixture.js';

const ten = Array.from({ length: 10 });
const twenty = Array.from({ length: 20 });

describe.each(deployments)('%s', (_deployment, options) => {
  const fixture = useFixture(
    () => SignInFixture.start(options),
    (started) => started.stop(),
  );

  const accountsNamed = (name: string) =>
    fixture.rows(`SELECT id FROM accounts WHERE organization_name = $1`, name);

  it('AUTH-36 AUTH-07 AUTH-11: sign in, found an organization, use it, and come back as its owner', async () => {
    const { subject, email } = fixture.newPerson({ name: 'Ann Provider' });
    const first = await fixture.signIn(subject);
    const full = await fixture.completeSignup(first, { organization_name: 'Acme', full_name: 'Zoe\u0308' });
    expect(full).toEqual({
      access_token: expect.stringMatching(/^ey/),
      refresh_token: expect.stringMatching(/^vkr_/),
      user: { user_id: expect.stringMatching(/^usr_/), email, name: 'Zo\u00eb', role: 'owner' },
      account: { account_id: expect.stringMatching(/^acc_/), organization_name: 'Acme', status: 'active' },
    });
    const accountId = full.account?.account_id as string;
    const userId = full.user?.user_id as string;
    expect(sessionOf(full)).toMatchObject({ sub: userId, account_id: accountId, session_type: 'full' });
    expect(await fixture.rows(`SELECT seat, status FROM users WHERE id = $1`, userId)).toEqual([
      { seat: 'full', status: 'active' },
    ]);
    expect(await fixture.isLive(full)).toBe(true);
    const caller = accountContext({ kind: 'session', accountId, userId, role: 'owner' });
    await expect(
      fixture.harness.bus.call(listApiKeys, { query: { limit: 1 } }, caller),
    ).resolves.toMatchObject({ count: 0 });
    const again = await fixture.signIn(subject);
    expect(again).toMatchObject({ user: full.user, account: full.account });
    expect(sessionOf(again).sid).not.toBe(sessionOf(full).sid);
  });

  it('OPEN-59: the identity-only session ends with the sign-up, before the answer', async () => {
    const session = await fixture.signIn(fixture.newPerson().subject);
    expect(await fixture.isLive(session)).toBe(true);
    const full = await fixture.completeSignup(session);
    const record = await fixture.service.context
      .get(CredentialCache)
      .put(sessionCacheKey(sessionOf(session).sid), {
        ...{ version: 1, status: 'active', kind: 'identity', accountId: null, userId: 'idn_x' },
        ...{ credentialId: sessionOf(session).sid, role: 'member', seat: 'viewer', expiresAt: null },
      });
    expect(record).toBe(false);
    expect(await fixture.isLive(session)).toBe(false);
    expect(await fixture.isLive(full)).toBe(true);
    expect(sessionOf(full).sid).not.toBe(sessionOf(session).sid);
  });

  it('OPEN-59: a session that has ended completes no sign-up, whatever a cache still says of it', async () => {
    const session = await fixture.signIn(fixture.newPerson().subject);
    await fixture.rows(`UPDATE families SET revoked_at = now() WHERE id = $1::uuid`, sessionOf(session).sid);
    const organization_name = `Ended ${sessionOf(session).sid}`;
    await expect(fixture.completeSignup(session, { organization_name })).rejects.toMatchObject({
      reason: 'AUTHENTICATION_ERROR',
    });
    expect(await accountsNamed(organization_name)).toEqual([]);
  });

  it('tells the other services by ids, in the order in which things came to be', async () => {
    const { subject, email } = fixture.newPerson();
    const { user, account } = await fixture.completeSignup(await fixture.signIn(subject));
    const ids = { account_id: account?.account_id, user_id: user?.user_id };
    const events = await fixture.eventsOf(account?.account_id as string);
    expect(events).toEqual([
      { name: 'auth.account-created', payload: { account_id: ids.account_id } },
      { name: 'auth.user-added', payload: ids },
      { name: 'auth.session-opened', payload: expect.objectContaining(ids) },
    ]);
    expect(JSON.stringify(events)).not.toContain(email);
  });

  it('AUTH-10: without a name the provider gives it, or the address does', async () => {
    const named = fixture.newPerson({ name: 'Ann Provider' });
    expect((await fixture.completeSignup(await fixture.signIn(named.subject))).user?.name).toBe(
      'Ann Provider',
    );
    const nameless = fixture.newPerson();
    expect((await fixture.completeSignup(await fixture.signIn(nameless.subject))).user?.name).toBe('ann');
  });

  it('a second time: 409, and one organization', async () => {
    const session = await fixture.signIn(fixture.newPerson().subject);
    const name = `Twice ${sessionOf(session).sub}`;
    await fixture.completeSignup(session, { organization_name: name });
    await expect(fixture.completeSignup(session, { organization_name: name })).rejects.toMatchObject({
      reason: 'SIGNUP_COMPLETED',
      status: 409,
    });
    expect(await accountsNamed(name)).toHaveLength(1);
  });

  it('twenty times at once, from one session and from ten: one organization, the others 409', async () => {
    const { subject } = fixture.newPerson();
    const token = await fixture.provider.idToken(subject);
    const sessions = await Promise.all(ten.map(() => fixture.verify(token)));
    const name = `Race ${sessionOf(sessions[0] as never).sub}`;
    const outcomes = await Promise.allSettled(
      sessions.flatMap((session) => [
        fixture.completeSignup(session, { organization_name: name }),
        fixture.completeSignup(sessions[0] as never, { organization_name: name }),
      ]),
    );
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.reason] : [],
    );
    expect(refusals).toEqual(Array.from({ length: 19 }, () => 'SIGNUP_COMPLETED'));
    expect(await accountsNamed(name)).toHaveLength(1);
  });

  it('of twenty people with one address, one founds an organization, the others 409', async () => {
    const { email } = fixture.newPerson();
    const tokens = await Promise.all(
      twenty.map(() => fixture.provider.idToken(fixture.newPerson({ email }).subject)),
    );
    const sessions = await Promise.all(tokens.map((token) => fixture.verify(token)));
    const outcomes = await Promise.allSettled(
      sessions.map((session) => fixture.completeSignup(session, { organization_name: email })),
    );
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.reason] : [],
    );
    expect(refusals).toEqual(Array.from({ length: 19 }, () => 'EMAIL_TAKEN'));
    expect(await accountsNamed(email)).toHaveLength(1);
  });

  it('AUTH-12 DOM-13: 403 while another organization claims the domain, and not after its release', async () => {
    const { subject, email } = fixture.newPerson();
    const session = await fixture.signIn(subject);
    await fixture.claim((await fixture.newAccount()).accountId, email);
    await expect(fixture.completeSignup(session)).rejects.toMatchObject({
      reason: 'DOMAIN_CLAIMED',
      code: 'FORBIDDEN',
      status: 403,
    });
    expect(await fixture.isLive(session)).toBe(true);
    await fixture.release(email);
    await expect(fixture.completeSignup(session)).resolves.toMatchObject({ user: { email } });
  });

  it('AUTH-12: the domain is known in every spelling', async () => {
    const { subject } = fixture.newPerson({ email: 'ann@Bücher.Example.test' });
    await fixture.claim((await fixture.newAccount()).accountId, 'x@xn--bcher-kva.example.test');
    await expect(fixture.completeSignup(await fixture.signIn(subject))).rejects.toMatchObject({
      reason: 'DOMAIN_CLAIMED',
    });
    await fixture.release('x@xn--bcher-kva.example.test');
  });

  it('OPEN-59: 409 for an address that is invited meanwhile, and the next sign-in joins', async () => {
    const { subject, email } = fixture.newPerson();
    const session = await fixture.signIn(subject);
    const { accountId, userIds } = await fixture.newAccount(invited(email));
    await expect(fixture.completeSignup(session)).rejects.toMatchObject({
      reason: 'EMAIL_TAKEN',
      status: 409,
    });
    expect(await fixture.isLive(session)).toBe(true);
    expect(await fixture.signIn(subject)).toMatchObject({
      user: { user_id: userIds[0] },
      account: { account_id: accountId },
    });
  });

  it('OPEN-59: whoever has an organization cannot be invited to another', async () => {
    const { subject, email } = fixture.newPerson();
    await fixture.completeSignup(await fixture.signIn(subject));
    const { context } = await mintApiKey(fixture.service);
    const body = { email, role: 'member', seat: 'full' } as const;
    await expect(fixture.harness.bus.call(inviteUser, { body }, context)).rejects.toMatchObject({
      reason: 'EMAIL_TAKEN',
    });
  });

  it('a refused sign-up leaves no account behind', async () => {
    const { subject, email } = fixture.newPerson();
    const session = await fixture.signIn(subject);
    await fixture.newAccount(invited(email, { status: 'active' }));
    const name = `None ${sessionOf(session).sub}`;
    await expect(fixture.completeSignup(session, { organization_name: name })).rejects.toThrow();
    expect(await accountsNamed(name)).toHaveLength(0);
  });

  describe('AUTH-09 AMB-19: only an identity-only session signs up', () => {
    const attempt = (credential: CallContext['credential']) =>
      fixture.harness.bus.call(
        completeSignup,
        { body: { organization_name: 'Org' } },
        sessionContext('body', credential),
      );

    it('a full session and an API key are 403, whatever the gateway lets through', async () => {
      for (const kind of ['session', 'api_key'] as const)
        await expect(attempt(accountContext({ kind }).credential)).rejects.toMatchObject({
          reason: 'IDENTITY_SESSION_REQUIRED',
          status: 403,
        });
      await expect(attempt({ kind: 'none' })).rejects.toMatchObject({ status: 403 });
    });

    it('an identity that does not exist is 401', async () => {
      const credentialId = '00000000-0000-0000-0000-000000000000';
      await expect(
        attempt({ kind: 'identity', identityId: 'idn_nobody', credentialId }),
      ).rejects.toMatchObject({ reason: 'AUTHENTICATION_ERROR' });
    });
  });
});

describe('AUTH-10: what a sign-up may say', () => {
  it('an organization of 1 to 255 characters', () => {
    for (const name of ['x', 'ü'.repeat(255), '\u{1f600}'.repeat(255)])
      expect(decode(SignUp, { organization_name: name })).toMatchObject({ organization_name: name });
    for (const name of [undefined, null, '', ' ', 'x'.repeat(256), 'a\u0000b', 'a\u202eb', 7])
      expect(() => decode(SignUp, { organization_name: name })).toThrow(
        expect.objectContaining({ reason: 'VALIDATION_ERROR' }),
      );
  });

  it('a name of 255 characters at most, or none', () => {
    for (const name of [undefined, 'x', 'x'.repeat(255)])
      expect(decode(SignUp, { organization_name: 'Org', full_name: name })).toBeDefined();
    for (const name of ['x'.repeat(256), ' ', 7])
      expect(() => decode(SignUp, { organization_name: 'Org', full_name: name })).toThrow(
        expect.objectContaining({ reason: 'VALIDATION_ERROR' }),
      );
  });
});
