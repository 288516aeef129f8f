import * as auth from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { api } from '@vaultsvc/testing/http';
import type { Change } from './change.js';
import type { ChangingAccount } from './changing-account.js';

/** Changes of API keys, users, sessions, domains and the account itself, and entries of an integration. */
export const accountChanges: readonly Change[] = [
  { weight: 3, make: createKey },
  { weight: 2, make: revokeKey },
  { weight: 2, make: inviteUser },
  { weight: 1, make: joinAccount },
  { weight: 1, make: changeUser },
  { weight: 1, make: removeUser },
  { weight: 1, make: updateAccount },
  { weight: 1, make: updateSettings },
  { weight: 2, make: openSession },
  { weight: 1, make: endSession },
  { weight: 1, make: claimDomain },
  { weight: 1, make: releaseDomain },
  { weight: 2, make: (account) => account.recordAppEvent({ number: newId('number_') }) },
];

async function createKey(account: ChangingAccount): Promise<void> {
  const body = { name: newId('name_') };
  const created = await account.change(auth.apiKeyCreated, auth.createApiKey, { body });
  if (created?.data) account.apiKeys.add(created.data.api_key_id);
}

async function revokeKey(account: ChangingAccount): Promise<void> {
  const api_key_id = account.apiKeys.take();
  if (api_key_id) await account.change(auth.apiKeyRevoked, auth.revokeApiKey, { params: { api_key_id } });
}

const newEmail = () => `${newId('user_')}@race.example`;

async function inviteUser(account: ChangingAccount): Promise<void> {
  const body = { email: newEmail(), role: 'member', seat: 'viewer' } as const;
  const invited = await account.change(auth.userInvited, auth.inviteUser, { body });
  if (invited?.data) account.users.add(invited.data.user_id);
}

/** Invites a person, who signs in and accepts. The session without an account that this takes has no event. */
async function joinAccount(account: ChangingAccount): Promise<void> {
  const email = newEmail();
  const body = { email, role: 'member', seat: 'full' } as const;
  const invited = await account.change(auth.userInvited, auth.inviteUser, { body });
  if (!invited?.data) return;
  const { user_id } = invited.data;
  const session = await account.identify(email);
  if (!session) return;
  const params = { invitation_id: user_id };
  const joined = await account.changeAs(account.clientOf(session), auth.userJoined, auth.acceptInvitation, {
    params,
  });
  if (joined) account.users.add(user_id);
}

async function changeUser(account: ChangingAccount): Promise<void> {
  const user_id = account.users.pick();
  const body = { name: newId('name_') };
  if (user_id) await account.change(auth.userChanged, auth.updateUser, { params: { user_id }, body });
}

async function removeUser(account: ChangingAccount): Promise<void> {
  const user_id = account.users.take();
  if (user_id) await account.change(auth.userRemoved, auth.removeUser, { params: { user_id } });
}

async function updateAccount(account: ChangingAccount): Promise<void> {
  const body = { organization_name: newId('name_') };
  await account.change(auth.accountChanged, auth.updateAccount, { body });
}

async function updateSettings(account: ChangingAccount): Promise<void> {
  const body = { settings: { theme: newId('theme_') } };
  await account.change(auth.settingsChanged, auth.updateSettings, { body });
}

async function openSession(account: ChangingAccount): Promise<void> {
  const opened = await account.signIn(auth.sessionOpened);
  if (opened?.data) account.sessions.add(opened.data);
}

async function endSession(account: ChangingAccount): Promise<void> {
  const session = account.sessions.take();
  if (!session?.refresh_token) return;
  const body = { refresh_token: session.refresh_token };
  const anonymous = api(account.around.origins.api_url);
  await account.changeAs(anonymous, auth.sessionEnded, auth.endSession, { body });
}

/** Only a session may claim a domain. */
async function claimDomain(account: ChangingAccount): Promise<void> {
  const session = account.sessions.pick();
  if (!session) return;
  const client = account.clientOf(session);
  const domain = `${newId('d_').slice(2).toLowerCase()}.example`;
  const challenge = await account.prepare(client.call(auth.challengeDomain, { body: { domain } }));
  if (!challenge) return;
  account.around.dns.setTxt(challenge.txt_name, challenge.txt_value);
  const body = { domain };
  const claimed = await account.changeAs(client, auth.domainClaimed, auth.claimDomain, { body });
  if (claimed) account.domains.add(domain);
}

async function releaseDomain(account: ChangingAccount): Promise<void> {
  const session = account.sessions.pick();
  const domain = session && account.domains.take();
  if (!domain) return;
  const params = { domain };
  await account.changeAs(account.clientOf(session), auth.domainReleased, auth.releaseDomain, { params });
}
