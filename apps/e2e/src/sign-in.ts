import { randomInt } from 'node:crypto';
import {
  acceptInvitation,
  completeSignup,
  verifyIdentity,
  type OpenedSession,
  type SignInSession,
} from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded, type Api } from '@vaultsvc/testing/http';
import { identityAt, type Person } from '@vaultsvc/tools-testing/identity-client';
import { stack } from './stack.js';

const { api_url, oidc } = stack();

/** The identity provider of the stack. */
export const identity = identityAt({
  issuer: oidc.issuer,
  clientId: oidc.client_id,
  redirectUri: oidc.redirect_uri,
});

/** A client without a credential. */
export const anonymous = api(api_url);

/** A new address, so that journeys can run repeatedly on the same stack. */
export function newEmail(): string {
  return `${newId('mail_')}@journey.example`;
}

/** A new phone number in E.164. */
export function newPhone(): string {
  return `+49151${String(randomInt(100_000_000)).padStart(8, '0')}`;
}

/** A session and its client. */
export interface SignedIn<S extends OpenedSession = OpenedSession> {
  readonly session: S;
  readonly client: Api;
}

/** Signs in with an ID token, as a server or a program does. */
export async function signIn(person: Person): Promise<SignedIn<SignInSession>> {
  return signedIn(
    succeeded(await anonymous.call(verifyIdentity, { body: { token: await identity.idToken(person) } })),
  );
}

export function signedIn<S extends OpenedSession>(session: S): SignedIn<S> {
  return { session, client: api(api_url, { jwt: session.access_token }) };
}

/** Signs up a person with an organization; returns the owner's session. */
export async function signUpOrganization(
  organization: string,
  person: Person = { email: newEmail() },
): Promise<SignedIn> {
  const { client } = await signIn(person);
  return signedIn(
    succeeded(await client.call(completeSignup, { body: { organization_name: organization } })),
  );
}

/** Signs in an invited person, who accepts the only invitation. */
export async function joinOrganization(person: Person): Promise<SignedIn> {
  const { client, session } = await signIn(person);
  const [invitation] = session.invitations ?? [];
  const params = { invitation_id: invitation?.invitation_id ?? '' };
  return signedIn(succeeded(await client.call(acceptInvitation, { params })));
}
