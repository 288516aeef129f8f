import { createHmac } from 'node:crypto';
import type { AccountContext, Operation, PublicSpec } from '@vaultsvc/contracts';
import { connectCrma, connectCrmb, type CrmbConnection } from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { deadlineIn } from '@vaultsvc/testing/harness';
import { SignJWT } from 'jose';
import { IntegrationsConfig } from '../config.js';
import type { IntegrationsPlatform } from './integrations-platform.js';

/** A request of a CRM; a test may send the same one twice. */
export interface CrmRequest {
  readonly target: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The session secrets of the orgs that were connected. */
export const sessionSecrets = new Map<string, string>();

function keepSecret({ org_id, session_secret = '' }: CrmbConnection): string {
  sessionSecrets.set(org_id, session_secret);
  return org_id;
}

/** Connects a new portal of crma, or org of crmb, with a new vault. */
export async function connectCrm(
  platform: IntegrationsPlatform,
  app: 'crma' | 'crmb',
  caller?: AccountContext,
): Promise<{ readonly remoteId: string; readonly vaultId: string; readonly accountId: string }> {
  const context = caller ?? (await platform.newCaller());
  const { vault_id } = await platform.newVault(context);
  const redirect_uri = 'https://app.example.com/callback';
  const body = { code: `local-ok-${newId('code_')}`, redirect_uri, vault_id };
  const { bus } = platform.harness;
  const remoteId =
    app === 'crma'
      ? (await bus.call(connectCrma, { body }, context)).portal_id
      : keepSecret(await bus.call(connectCrmb, { body }, context));
  return { remoteId, vaultId: vault_id, accountId: context.credential.accountId };
}

/** Signs a request as crma does. @param query with its question mark; the proxy appends portal and person */
export function signedByCrma(
  platform: IntegrationsPlatform,
  { http }: Operation<PublicSpec>,
  query: string,
  body: unknown,
): CrmRequest {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const time = String(Date.now());
  const { API_ORIGIN } = platform.service.context.get(IntegrationsConfig);
  const target = http.path + query;
  const signature = createHmac('sha256', platform.providers.settings['CRMA_CLIENT_SECRET'] as string)
    .update(`POST${API_ORIGIN}${target}${text}${time}`)
    .digest('base64');
  const headers = { 'x-crma-signature-v3': signature, 'x-crma-request-timestamp': time };
  return { target, body: text, headers };
}

/** A session of crmb with these claims beside the usual ones; undefined leaves one out. */
export function crmbSession(
  platform: IntegrationsPlatform,
  orgId: string,
  claims: Readonly<Record<string, unknown>> = {},
  secret = sessionSecrets.get(orgId) ?? (platform.providers.settings['CRMB_SESSION_SECRET'] as string),
): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const { API_ORIGIN } = platform.service.context.get(IntegrationsConfig);
  const usual = { aud: API_ORIGIN, iat: now, exp: now + 300, org_id: orgId, user_id: '101' };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret));
}

/** Sends a request as the gateway forwards it, and returns the reply. */
export async function deliverCrm<S extends PublicSpec>(
  platform: IntegrationsPlatform,
  op: Operation<S>,
  { target, body, headers }: CrmRequest,
): Promise<Record<string, unknown>> {
  const { reply } = await platform.harness.bus.forward(op, {}, Buffer.from(body), {
    requestId: newId('req_'),
    credential: { kind: 'provider' },
    clientIp: '203.0.113.9',
    deadlineMs: deadlineIn(60),
    signedRequest: { target, headers },
  });
  return JSON.parse(Buffer.from(reply).toString()) as Record<string, unknown>;
}
