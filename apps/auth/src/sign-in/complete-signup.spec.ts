import { describe, expect, it } from '@jest/globals';
import { decode, type CallContext } from '@vaultsvc/contracts';
import { completeSignup, inviteUser, listApiKeys, SignUp } from '@vaultsvc/contracts/auth';
import { CredentialCache } from '@vaultsvc/limits';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { mintApiKey } from '@vaultsvc/tools-testing/accounts';
import { sessionCacheKey } from '../credentials/credential-records.js';
import { deployments } from '../testing/deployments.js';
import { sessionContext } from '../testing/session-fixture.js';
import { invitedUser, tokenClaimsOf, SignInFixture } from '../testing/sign-in-fixture.js';

const ten = Array.from({ length: 10 });
const twenty = Array.from({ length: 20 });

describe.each(deployments)('POST /v1/auth/complete-signup with a %s', (_deployment, options) => {
  const fixture = useFixture(
    () => SignInFixture.start(options),
    (started) => started.stop(),
  );

  const accountsNamed = (name: string) =>
    fixture.rows(`SELECT id FROM accounts WHERE organization_name = $1`, name);

  it('AUTH-36 AUTH-07 AUTH-11: creates an organization and a full session of its owner, whose next sign-in is a full session too', async () => {
    const { subject, email } = fixture.addProviderUser({ name: 'Ann Provider' });
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
    expect(tokenClaimsOf(full)).toMatchObject({ sub: userId, account_id: accountId, session_type: 'full' });
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
    expect(tokenClaimsOf(again).sid).not.toBe(tokenClaimsOf(full).sid);
  });

  it('OPEN-59: ends the identity-only session before the answer', async () => {
    const session = await fixture.signIn(fixture.addProviderUser().subject);
    expect(await fixture.isLive(session)).toBe(true);
    const full = await fixture.completeSignup(session);
    const record = await fixture.service.context
      .get(CredentialCache)
      .put(sessionCacheKey(tokenClaimsOf(session).sid), {
        ...{ version: 1, status: 'active', kind: 'identity', accountId: null, userId: 'idn_x' },
        ...{ credentialId: tokenClaimsOf(session).sid, role: 'member', seat: 'viewer', expiresAt: null },
      });
    expect(record).toBe(false);
    expect(await fixture.isLive(session)).toBe(false);
    expect(await fixture.isLive(full)).toBe(true);
    expect(tokenClaimsOf(full).sid).not.toBe(tokenClaimsOf(session).sid);
  });

  it('OPEN-59: refuses a session that has ended, even if it is still cached', async () => {
    const session = await fixture.signIn(fixture.addProviderUser().subject);
    await fixture.rows(
      `UPDATE families SET revoked_at = now() WHERE id = $1::uuid`,
      tokenClaimsOf(session).sid,
    );
    const organization_name = `Ended ${tokenClaimsOf(session).sid}`;
    await expect(fixture.completeSignup(session, { organization_name })).rejects.toMatchObject({
      reason: 'AUTHENTICATION_ERROR',
    });
    expect(await accountsNamed(organization_name)).toEqual([]);
  });

  it('records events for account, user and session in this order, with ids only', async () => {
    const { subject, email } = fixture.addProviderUser();
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

  it('AUTH-10: defaults the name to that from the provider, or to the local part of the address', async () => {
    const named = fixture.addProviderUser({ name: 'Ann Provider' });
    expect((await fixture.completeSignup(await fixture.signIn(named.subject))).user?.name).toBe(
      'Ann Provider',
    );
    const empty = await fixture.signIn(fixture.addProviderUser({ name: 'Ann Provider' }).subject);
    const { user } = await fixture.completeSignup(empty, { organization_name: 'Acme', full_name: '' });
    expect(user?.name).toBe('Ann Provider');
    const nameless = fixture.addProviderUser();
    expect((await fixture.completeSignup(await fixture.signIn(nameless.subject))).user?.name).toBe('ann');
  });

  it('answers 409 when repeated, and creates one organization', async () => {
    const session = await fixture.signIn(fixture.addProviderUser().subject);
    const name = `Twice ${tokenClaimsOf(session).sub}`;
    await fixture.completeSignup(session, { organization_name: name });
    await expect(fixture.completeSignup(session, { organization_name: name })).rejects.toMatchObject({
      reason: 'SIGNUP_COMPLETED',
      status: 409,
    });
    expect(await accountsNamed(name)).toHaveLength(1);
  });

  it('creates one organization for twenty concurrent calls of one identity, and answers 409 to the others', async () => {
    const { subject } = fixture.addProviderUser();
    const sessions = await Promise.all(ten.map(() => fixture.signInByToken(subject)));
    const name = `Race ${tokenClaimsOf(sessions[0] as never).sub}`;
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

  it('creates one organization for twenty identities with one address, and answers 409 to the others', async () => {
    const { email } = fixture.addProviderUser();
    const tokens = await Promise.all(
      twenty.map(() => fixture.provider.idToken(fixture.addProviderUser({ email }).subject)),
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

  it('AUTH-12 DOM-13: answers 403 while another organization claims the domain, and succeeds after its release', async () => {
    const { subject, email } = fixture.addProviderUser();
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

  it('AUTH-12: finds the claimed domain in another spelling', async () => {
    const { subject } = fixture.addProviderUser({ email: 'ann@Bücher.Example.test' });
    await fixture.claim((await fixture.newAccount()).accountId, 'x@xn--bcher-kva.example.test');
    await expect(fixture.completeSignup(await fixture.signIn(subject))).rejects.toMatchObject({
      reason: 'DOMAIN_CLAIMED',
    });
    await fixture.release('x@xn--bcher-kva.example.test');
  });

  it('OPEN-59: founds an own organization for a person whom another one invites', async () => {
    const { subject, email } = fixture.addProviderUser();
    const { userIds } = await fixture.newAccount(invitedUser(email));
    const session = await fixture.completeSignup(await fixture.signIn(subject));
    expect(session).toMatchObject({ user: { email, role: 'owner' } });
    expect(session.user?.user_id).not.toBe(userIds[0]);
  });

  it('OPEN-59: founds an organization for each of two identities whose exact addresses differ', async () => {
    const { email } = fixture.addProviderUser();
    for (const each of [email.replace('ann@', 'Ann@'), email, email.replace('ann@', '\uff41nn@')]) {
      const session = await fixture.signIn(fixture.addProviderUser({ email: each }).subject);
      expect(await fixture.completeSignup(session)).toMatchObject({ user: { email: each } });
    }
  });

  it('OPEN-59: excludes the new owner from invitations of other organizations', async () => {
    const { subject, email } = fixture.addProviderUser();
    await fixture.completeSignup(await fixture.signIn(subject));
    const { context } = await mintApiKey(fixture.service);
    const body = { email, role: 'member', seat: 'full' } as const;
    await expect(fixture.harness.bus.call(inviteUser, { body }, context)).rejects.toMatchObject({
      reason: 'EMAIL_TAKEN',
    });
  });

  it('leaves no account behind when it is refused', async () => {
    const { subject, email } = fixture.addProviderUser();
    const session = await fixture.signIn(subject);
    await fixture.newAccount(invitedUser(email, { status: 'active' }));
    const name = `None ${tokenClaimsOf(session).sub}`;
    await expect(fixture.completeSignup(session, { organization_name: name })).rejects.toThrow();
    expect(await accountsNamed(name)).toHaveLength(0);
  });

  describe('AUTH-09 AMB-19: called without an identity-only session', () => {
    const attempt = (credential: CallContext['credential']) =>
      fixture.harness.bus.call(
        completeSignup,
        { body: { organization_name: 'Org' } },
        sessionContext('body', credential),
      );

    it('answers 403 to a full session and an API key, even if the gateway admits them', async () => {
      for (const kind of ['session', 'api_key'] as const)
        await expect(attempt(accountContext({ kind }).credential)).rejects.toMatchObject({
          reason: 'IDENTITY_SESSION_REQUIRED',
          status: 403,
        });
      await expect(attempt({ kind: 'none' })).rejects.toMatchObject({ status: 403 });
    });

    it('answers 401 to an unknown identity', async () => {
      const credentialId = '00000000-0000-0000-0000-000000000000';
      await expect(
        attempt({ kind: 'identity', identityId: 'idn_unknown', credentialId }),
      ).rejects.toMatchObject({ reason: 'AUTHENTICATION_ERROR' });
    });
  });
});

describe('AUTH-10: validation of a sign-up', () => {
  it('accepts an organization name of 1 to 255 characters', () => {
    for (const name of ['x', 'ü'.repeat(255), '\u{1f600}'.repeat(255)])
      expect(decode(SignUp, { organization_name: name })).toMatchObject({ organization_name: name });
    for (const name of [undefined, null, '', ' ', 'x'.repeat(256), 'a\u0000b', 'a\u202eb', 7])
      expect(() => decode(SignUp, { organization_name: name })).toThrow(
        expect.objectContaining({ reason: 'VALIDATION_ERROR' }),
      );
  });

  it('accepts a name of 255 characters at most, an empty one, or none', () => {
    for (const name of [undefined, '', 'x', 'x'.repeat(255)])
      expect(decode(SignUp, { organization_name: 'Org', full_name: name })).toBeDefined();
    for (const name of ['x'.repeat(256), ' ', 7])
      expect(() => decode(SignUp, { organization_name: 'Org', full_name: name })).toThrow(
        expect.objectContaining({ reason: 'VALIDATION_ERROR' }),
      );
  });
});
