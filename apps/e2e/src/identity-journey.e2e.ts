import { describe, expect, it } from '@jest/globals';
import {
  acceptInvitation,
  challengeDomain,
  claimDomain,
  completeSignup,
  createApiKey,
  declineInvitation,
  deleteAccountLogo,
  exchangeCode,
  inviteUser,
  listApiKeys,
  listDomains,
  listUsers,
  mintViewerToken,
  readAccount,
  readMe,
  readProfile,
  readSettings,
  releaseDomain,
  removeUser,
  updateAccount,
  updateProfile,
  updateSettings,
  updateUser,
  verifyIdentity,
} from '@vaultsvc/contracts/auth';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { mailsTo } from './inbox.js';
import {
  anonymous,
  identity,
  joinOrganization,
  newEmail,
  signedIn,
  signIn,
  signUpOrganization,
} from './sign-in.js';
import { stack } from './stack.js';

const { api_url, mail_url } = stack();
const unauthenticated = { status: 401, error: { code: 'AUTHENTICATION_ERROR' } };
const unauthorized = { status: 401, error: { code: 'UNAUTHORIZED' } };
const forbidden = { status: 403, error: { code: 'FORBIDDEN' } };
const keys = { query: { limit: 1 } };
const newKey = { body: { name: 'journey' } };

describe('a new person', () => {
  it('AUTH-04 AUTH-05 AUTH-06 AUTH-07 AUTH-11 AUTH-33 AUTH-36 OPEN-47 OPEN-59: signs in by the code flow, names the organization and becomes its owner', async () => {
    const person = { email: newEmail(), name: 'Ann Example' };
    const arrived = signedIn(
      succeeded(await anonymous.call(exchangeCode, { query: {}, body: await identity.code(person) })),
    );
    expect(arrived.session).toMatchObject({ user: null, account: null, invitations: [] });
    expect(succeeded(await arrived.client.call(readMe, {}))).toMatchObject({
      user: null,
      account: null,
      credential: 'identity_only',
      invitations: [],
    });
    expect(await arrived.client.call(listApiKeys, keys)).toMatchObject(forbidden);

    const body = { organization_name: 'Ann & Company' };
    const session = succeeded(await arrived.client.call(completeSignup, { body }));
    expect(session).toMatchObject({
      user: { email: person.email, name: 'Ann Example', role: 'owner' },
      account: { organization_name: 'Ann & Company', status: 'active' },
    });
    expect(await arrived.client.call(completeSignup, { body })).toMatchObject(unauthenticated);

    const { client } = signedIn(session);
    expect((await client.call(listApiKeys, keys)).status).toBe(200);
    const { user, account } = session;
    expect(succeeded(await client.call(readMe, {}))).toEqual({
      user,
      account,
      role: 'owner',
      seat: 'full',
      credential: 'session',
    });
    expect((await signIn(person)).session).toMatchObject({ user, account });
  });

  it('AUTH-04: cannot sign in with a wrong verifier, or twice with the same code', async () => {
    const { code, code_verifier } = await identity.code({ email: newEmail() });
    const wrong = code_verifier.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'));
    expect(
      await anonymous.call(exchangeCode, { query: {}, body: { code, code_verifier: wrong } }),
    ).toMatchObject(unauthorized);
    const body = await identity.code({ email: newEmail() });
    expect((await anonymous.call(exchangeCode, { query: {}, body })).status).toBe(200);
    expect(await anonymous.call(exchangeCode, { query: {}, body })).toMatchObject(unauthorized);
  });

  it('AUTH-08 OPEN-59: cannot sign in with a forged ID token or an unverified address', async () => {
    const email = newEmail();
    const [header, claims, signature = ''] = (await identity.idToken({ email })).split('.');
    const mirrored = [...signature].reverse().join('');
    const unverified = await identity.idToken({ email, email_verified: false });
    for (const token of [`${header}.${claims}.${mirrored}`, `${header}.${claims}.`, 'a.b.c', unverified])
      expect(await anonymous.call(verifyIdentity, { body: { token } })).toMatchObject(unauthorized);
  });

  it('ACC-01 ACC-02 ACC-03 OPEN-30 OPEN-57: updates the organization and its settings', async () => {
    const { client } = await signUpOrganization('Before');
    const logo = 'https://example.com/logo.svg';
    const change = { organization_name: 'After', logo_url_light: logo };
    succeeded(await client.call(updateAccount, { body: change }));
    expect(succeeded(await client.call(readAccount, {}))).toMatchObject({ ...change, logo_url_dark: null });
    expect(succeeded(await client.call(deleteAccountLogo, {}))).toEqual({ deleted: true });
    expect(succeeded(await client.call(readAccount, {}))).toMatchObject({
      organization_name: 'After',
      logo_url_light: null,
    });
    for (const settings of [{ theme: 'dark', rows: 10 }, { rows: null }])
      succeeded(await client.call(updateSettings, { body: { settings } }));
    expect(succeeded(await client.call(readSettings, {}))).toEqual({ settings: { theme: 'dark' } });
    succeeded(await client.call(updateProfile, { body: { name: 'Zoë' } }));
    expect(succeeded(await client.call(readProfile, {}))).toMatchObject({ name: 'Zoë', status: 'active' });
  });
});

/** An owner and an invited person, both signed in. */
async function organizationOfTwo(role: 'admin' | 'member' = 'member') {
  const owner = await signUpOrganization('Two people');
  const email = newEmail();
  const invited = succeeded(await owner.client.call(inviteUser, { body: { email, role, seat: 'full' } }));
  return { owner, invited, email, second: await joinOrganization({ email }) };
}

describe('an invited person', () => {
  it('OPEN-33 OPEN-35 OPEN-57 OPEN-59: receives a mail, signs in with that address and accepts', async () => {
    const owner = await signUpOrganization('The Inviting Organization');
    const email = newEmail();
    const invitation = { email, role: 'member', seat: 'full' } as const;
    const invited = succeeded(await owner.client.call(inviteUser, { body: invitation }));
    expect(invited).toMatchObject({ ...invitation, name: null, status: 'invited' });

    const [mail] = await eventually(
      () => mailsTo(mail_url, email),
      (mails) => mails.length > 0,
    );
    expect(`${mail?.subject} ${mail?.text}`).toContain('The Inviting Organization');
    expect(mail?.text).toContain(`${api_url}/app`);

    const arrived = await signIn({ email, name: 'Bob' });
    expect(arrived.session).toMatchObject({ user: null, account: null });
    const { invitations } = succeeded(await arrived.client.call(readMe, {}));
    expect(invitations).toEqual(arrived.session.invitations);
    expect(invitations).toEqual([
      {
        invitation_id: invited.user_id,
        organization_name: 'The Inviting Organization',
        role: 'member',
        invited_by: owner.session.user?.email,
        expires_at: invited.created_at + 14 * 86_400,
      },
    ]);
    const params = { invitation_id: invited.user_id };
    const joined = signedIn(succeeded(await arrived.client.call(acceptInvitation, { params })));
    expect(await arrived.client.call(readMe, {})).toMatchObject(unauthenticated);
    expect(joined.session).toMatchObject({
      user: { user_id: invited.user_id, role: 'member' },
      account: owner.session.account,
    });
    const { users } = succeeded(await joined.client.call(listUsers, { query: { limit: 100 } }));
    expect(users.map(({ email: address, status }) => ({ address, status }))).toEqual([
      { address: owner.session.user?.email, status: 'active' },
      { address: email, status: 'active' },
    ]);
    const again = await owner.client.call(inviteUser, { body: invitation });
    expect(again).toMatchObject({ status: 409, error: { code: 'CONFLICT' } });
    expect(await mailsTo(mail_url, email)).toHaveLength(1);
  });

  it('OPEN-59: declines an invitation, and cannot accept one that was withdrawn', async () => {
    const owner = await signUpOrganization('Refused');
    const email = newEmail();
    const invite = async () =>
      succeeded(await owner.client.call(inviteUser, { body: { email, role: 'admin', seat: 'full' } }))
        .user_id;
    const { client } = await signIn({ email });
    const declined = { params: { invitation_id: await invite() } };
    expect(succeeded(await client.call(declineInvitation, declined))).toEqual({
      ...declined.params,
      declined: true,
    });
    const user_id = await invite();
    expect((await owner.client.call(removeUser, { params: { user_id } })).status).toBe(204);
    for (const invitation_id of [declined.params.invitation_id, user_id])
      expect(await client.call(acceptInvitation, { params: { invitation_id } })).toMatchObject({
        status: 404,
        error: { code: 'NOT_FOUND' },
      });
    expect(succeeded(await client.call(readMe, {})).invitations).toEqual([]);
    expect(succeeded(await owner.client.call(listUsers, { query: { limit: 10 } })).count).toBe(1);
  });

  it('AUTH-34 AMB-18 OPEN-07: has a changed role or seat from the next request on', async () => {
    const { owner, invited, second } = await organizationOfTwo();
    const { user_id } = invited;
    const change = (body: { role?: 'admin' | 'member'; seat?: 'viewer' }) =>
      owner.client.call(updateUser, { params: { user_id }, body });
    expect(await second.client.call(createApiKey, newKey)).toMatchObject(forbidden);
    succeeded(await change({ role: 'admin' }));
    expect((await second.client.call(createApiKey, newKey)).status).toBe(201);
    succeeded(await change({ seat: 'viewer' }));
    expect(succeeded(await second.client.call(readMe, {}))).toMatchObject({ role: 'admin', seat: 'viewer' });
    succeeded(await change({ role: 'member' }));
    expect(await second.client.call(createApiKey, newKey)).toMatchObject(forbidden);
  });

  it('OPEN-09 OPEN-59: is refused at the next request after removal, and has no account at the next sign-in', async () => {
    const { owner, invited, second, email } = await organizationOfTwo('admin');
    const { user_id } = invited;
    expect((await second.client.call(listApiKeys, keys)).status).toBe(200);
    expect((await owner.client.call(removeUser, { params: { user_id } })).status).toBe(204);
    expect(await second.client.call(listApiKeys, keys)).toMatchObject(unauthenticated);
    const { refresh_token = '' } = second.session;
    const refreshed = await anonymous.send({
      method: 'POST',
      target: '/v1/auth/refresh',
      body: { refresh_token },
    });
    expect(refreshed).toMatchObject(unauthorized);
    expect((await signIn({ email })).session).toMatchObject({ user: null, account: null });
    expect(await owner.client.call(removeUser, { params: { user_id } })).toMatchObject({ status: 404 });
  });

  it('OPEN-33 OPEN-57 OPEN-59: cannot remove the last owner of an organization, and an admin no owner', async () => {
    const { owner, second } = await organizationOfTwo('admin');
    const user_id = owner.session.user?.user_id ?? '';
    const body = { role: 'admin' } as const;
    for (const [caller, answer] of [
      [owner, { status: 409, error: { code: 'CONFLICT' } }],
      [second, { status: 403, error: { code: 'FORBIDDEN' } }],
    ] as const) {
      expect(await caller.client.call(removeUser, { params: { user_id } })).toMatchObject(answer);
      expect(await caller.client.call(updateUser, { params: { user_id }, body })).toMatchObject(answer);
    }
    expect(succeeded(await owner.client.call(readMe, {}))).toMatchObject({ role: 'owner' });
  });
});

describe('authorization', () => {
  it('DOM-04 DOM-05 DOM-06 DOM-08 AUTH-34: follows the rules of domains that need no DNS', async () => {
    const { owner, second } = await organizationOfTwo();
    const challenge = (domain: string, client = owner.client) =>
      client.call(challengeDomain, { body: { domain } });
    const made = succeeded(await challenge('Journey.EXAMPLE.'));
    expect(made).toEqual({
      domain: 'journey.example',
      txt_name: '_vaultsvc.journey.example',
      txt_value: expect.stringMatching(/^vaultsvc-domain-verification=.+/),
    });
    expect(succeeded(await challenge('journey.example'))).toEqual(made);
    expect(succeeded(await owner.client.call(listDomains, {}))).toEqual({ domains: [] });

    for (const domain of ['127.0.0.1', 'localhost', 'https://example.com', 'a b.example', 'example.com:80'])
      expect(await challenge(domain)).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
    const { api_key } = succeeded(await owner.client.call(createApiKey, newKey));
    const program = api(api_url, { key: api_key });
    expect((await program.call(listDomains, {})).status).toBe(200);
    for (const client of [program, second.client]) {
      expect(await challenge('journey.example', client)).toMatchObject(forbidden);
      const body = { domain: 'journey.example' };
      expect(await client.call(claimDomain, { body })).toMatchObject(forbidden);
      expect(await client.call(releaseDomain, { params: body })).toMatchObject(forbidden);
    }
    const unknown = await owner.client.call(releaseDomain, { params: { domain: 'journey.example' } });
    expect(unknown).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
  });

  it('AUTH-27 AUTH-32 OPEN-08: refuses a viewer token, which expires after five minutes, on account routes', async () => {
    const { client } = await signUpOrganization('Viewers');
    const { viewer_token, expires_in } = succeeded(await client.call(mintViewerToken, {}));
    expect(expires_in).toBe(300);
    const viewer = api(api_url, { jwt: viewer_token });
    expect(await viewer.call(listApiKeys, keys)).toMatchObject(unauthenticated);
  });

  it('ENV-39 AMB-17 AMB-19: treats an API key as an admin without a user', async () => {
    const { session, client } = await signUpOrganization('Keys');
    const { api_key } = succeeded(await client.call(createApiKey, newKey));
    const program = api(api_url, { key: api_key });
    expect(succeeded(await program.call(readMe, {}))).toMatchObject({
      user: null,
      account: session.account,
      role: 'admin',
      credential: 'api_key',
    });
    expect(await program.call(readProfile, {})).toMatchObject(forbidden);
    expect(await program.call(completeSignup, { body: { organization_name: 'x' } })).toMatchObject(forbidden);
  });
});
