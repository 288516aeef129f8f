import type { LinkDomain } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import type { CredentialRecord, PoolSnapshot } from '@vaultsvc/limits';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, mintToken } from '@vaultsvc/crypto/tokens';
import type { RunningService } from '@vaultsvc/service';
import { withoutLimits } from '@vaultsvc/testing/http';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { gatewayOver } from '../service-definition.js';
import { LinkServers } from '../links/link-servers.js';
import type { FakeServices } from './fake-services.js';
import { testOperations } from './test-operations.js';

export const issuer = 'http://127.0.0.1:8080';

/** Origin of a gateway's link pages or file pages, without a slash at the end. */
export function linkUrlOf({ context }: RunningService, domain: LinkDomain): string {
  return `http://127.0.0.1:${context.get(LinkServers).portOf(domain)}`;
}

export function credentialRecord(changes: Partial<CredentialRecord> = {}): CredentialRecord {
  return {
    version: 1,
    status: 'active',
    kind: 'api_key',
    accountId: newId('acc_'),
    userId: null,
    credentialId: newId('key_'),
    role: 'admin',
    seat: 'full',
    expiresAt: null,
    ...changes,
  };
}

export function poolSnapshot(changes: Partial<PoolSnapshot> = {}): PoolSnapshot {
  const bandwidth = { used: 30, limit: 40, cycle_resets_at: 1_900_000_000 };
  return {
    version: 1,
    plan: 'active',
    storage: { used: 1, limit: 10 },
    bandwidth,
    identity: { used: 5, limit: 5 },
    ...changes,
  };
}

/** Creates an API key that the fake auth resolves. */
export function newApiKey(
  fakes: FakeServices,
  changes: Partial<CredentialRecord> = {},
): { key: string; record: CredentialRecord } {
  const { text, bytes } = mintToken('apikey');
  const record = credentialRecord(changes);
  fakes.credentials.set(`api_key:${lookupHash('apikey', bytes).toString('hex')}`, record);
  if (record.accountId) fakes.poolSnapshots.set(record.accountId, poolSnapshot());
  return { key: text, record };
}

export interface Signer {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly kid: string;
}

/** Creates a signing key and adds it to the fake auth's key set. */
export async function newSigner(fakes: FakeServices, kid = newId('kid_')): Promise<Signer> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { keys } = JSON.parse(fakes.keysJson) as { keys: object[] };
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg: 'EdDSA', use: 'sig' };
  fakes.keysJson = JSON.stringify({ keys: [...keys, jwk] });
  return { ...pair, kid };
}

/** Creates a session that the fake auth resolves, and its access token; `claims` and `header` override the defaults. */
export async function newSession(
  fakes: FakeServices,
  signer: Signer,
  changes: Partial<CredentialRecord> = {},
  { claims = {}, header = {} }: { claims?: JWTPayload; header?: object } = {},
): Promise<{ jwt: string; record: CredentialRecord }> {
  const sid = newId('ses_');
  const record = credentialRecord({ kind: 'session', userId: newId('usr_'), credentialId: sid, ...changes });
  fakes.credentials.set(`session:${sid}`, record);
  if (record.accountId) fakes.poolSnapshots.set(record.accountId, poolSnapshot());
  const now = Math.floor(Date.now() / 1_000);
  const defaults = {
    iss: issuer,
    aud: 'vaultsvc',
    sub: record.userId ?? '',
    sid,
    iat: now,
    exp: now + 3_600,
    jti: newId('jti_'),
  };
  const session_type = record.kind === 'identity' ? 'identity_only' : 'full';
  const jwt = await new SignJWT({ ...defaults, account_id: record.accountId, session_type, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: signer.kid, ...header })
    .sign(signer.privateKey);
  return { jwt, record };
}

/** A gateway that routes its own operations and the test operations. */
export const fixtureGateway = gatewayOver([
  ...operations.filter(({ service }) => service === 'gateway'),
  ...testOperations,
]);

/** With the default rate limits, for specs that test them. */
export const limitedSettings = {
  HTTP_PORT: '0',
  CORS_ORIGINS: 'https://app.test',
  BUILD_VERSION: '9.9.9',
  LOG_LEVEL: 'silent',
};

/** Without effective rate limits: see `withoutLimits`. */
export const fixtureSettings = { ...limitedSettings, ...withoutLimits };

/** Whether a log line belongs to a counted request: uncounted ones were refused and retried by the client (ENV-36). */
export function isCounted(line: string): boolean {
  return !line.includes('RATE_LIMIT_EXCEEDED');
}
