import { authorize, type OidcClient, type ProvedCode } from './authorization.js';

/** A person at the local identity provider, which accepts any address without proof. */
export interface Person {
  readonly email: string;
  /** The local part of the address when absent. */
  readonly name?: string;
}

/** Signs people in at the local identity provider (tools/identity). */
export interface IdentityClient {
  /** An ID token, without a browser. */
  idToken(person: Person & { readonly email_verified?: boolean }): Promise<string>;
  /** An authorization code, by way of the provider's form. */
  code(person: Person): Promise<ProvedCode>;
}

export function identityAt(client: OidcClient): IdentityClient {
  return {
    idToken: (person) => idToken(client.issuer, person),
    code: ({ email, name = '' }) => authorize(client, { form: { email, name } }),
  };
}

async function idToken(issuer: string, person: object): Promise<string> {
  const answer = await fetch(`${issuer}/token-for`, { method: 'POST', body: JSON.stringify(person) });
  const { id_token, error } = (await answer.json()) as { id_token?: string; error?: string };
  if (id_token === undefined) throw new Error(`the identity provider returned no ID token: ${error}`);
  return id_token;
}
