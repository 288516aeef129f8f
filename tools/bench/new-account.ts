// A second account, beside the one of the stack.
import { randomBytes } from 'node:crypto';
import type { StackDescription } from '../stack/descriptor.ts';

/** @returns the access token of its owner, valid for an hour */
export async function newAccountToken({ identity_url, api_url }: StackDescription): Promise<string> {
  const email = `bench-${randomBytes(6).toString('hex')}@example.test`;
  const { id_token } = await post<{ id_token: string }>(`${identity_url}/token-for`, { email });
  const arrived = await post<Session>(`${api_url}/v1/auth/identity/verify`, { token: id_token });
  const organization = { organization_name: 'Another account' };
  const bearer = { authorization: `Bearer ${arrived.data.access_token}` };
  const { data } = await post<Session>(`${api_url}/v1/auth/complete-signup`, organization, bearer);
  return data.access_token;
}

interface Session {
  data: { access_token: string };
}

async function post<Body>(url: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}
