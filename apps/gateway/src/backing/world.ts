import type { AddressInfo } from 'node:net';
import type { NestApplication } from '@nestjs/core';
import type { LinkDomain } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import type { CredentialRecord, PoolSnapshot } from '@vaultsvc/limits';
import { newId } from '@vaultsvc/crypto/encoding';
import { lookupHash, mintToken } from '@vaultsvc/crypto/tokens';
import type { RunningService } from '@vaultsvc/service';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { gatewayOver } from '../service-definition.js';
import { LinkServers } from '../links/link-servers.js';
import type { Backing } from './backing.service.js';
import { thingOperations } from './things.js';

export const issuer = 'http://127.0.0.1:8080';

/** Where a gateway in this process listens. */
export function urlOf(service: RunningService): string {
  const server = (service.context as NestApplication).getHttpServer() as { address(): AddressInfo };
  return `http://127.0.0.1:${server.address().port}`;
}

/** Where it serves the pages of links, or those of files. */
export function linkUrlOf({ context }: RunningService, domain: LinkDomain): string {
  return `http://127.0.0.1:${context.get(LinkServers).portOf(domain)}`;
}

export function recordOf(changes: Partial<CredentialRecord> = {}): CredentialRecord {
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

/** A new API key that auth knows. */
export function newApiKey(
  backing: Backing,
  changes: Partial<CredentialRecord> = {},
): { key: string; record: CredentialRecord } {
  const { text, bytes } = mintToken('apikey');
  const record = recordOf(changes);
  backing.credentials.set(`api_key:${lookupHash('apikey', bytes).toString('hex')}`, record);
  if (record.accountId) backing.poolSnapshots.set(record.accountId, poolSnapshot());
  return { key: text, record };
}

export interface Signer {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly kid: string;
}

/** A signing key that auth lists from now on. */
export async function newSigner(backing: Backing, kid = newId('kid_')): Promise<Signer> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const { keys } = JSON.parse(backing.keysJson) as { keys: object[] };
  const jwk = { ...(await exportJWK(pair.publicKey)), kid, alg: 'EdDSA', use: 'sig' };
  backing.keysJson = JSON.stringify({ keys: [...keys, jwk] });
  return { ...pair, kid };
}

/** A session that auth knows and its access token; `claims` and `header` replace what would be there. */
export async function newSession(
  backing: Backing,
  signer: Signer,
  changes: Partial<CredentialRecord> = {},
  { claims = {}, header = {} }: { claims?: JWTPayload; header?: object } = {},
): Promise<{ jwt: string; record: CredentialRecord }> {
  const sid = newId('ses_');
  const record = recordOf({ kind: 'session', userId: newId('usr_'), credentialId: sid, ...changes });
  backing.credentials.set(`session:${sid}`, record);
  if (record.accountId) backing.poolSnapshots.set(record.accountId, poolSnapshot());
  const now = Math.floor(Date.now() / 1_000);
  const standard = {
    iss: issuer,
    aud: 'vaultsvc',
    sub: record.userId ?? '',
    sid,
    iat: now,
    exp: now + 3_600,
    jti: newId('jti_'),
  };
  const session_type = record.kind === 'identity' ? 'identity_only' : 'full';
  const jwt = await new SignJWT({ ...standard, account_id: record.accountId, session_type, ...claims })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: signer.kid, ...header })
    .sign(signer.privateKey);
  return { jwt, record };
}

/** A gateway over the operations of `things`, and its own. */
export const worldGateway = gatewayOver([
  ...operations.filter(({ service }) => service === 'gateway'),
  ...thingOperations,
]);

/** With the limits of the product, for specs that mean them. */
export const limitedSettings = {
  HTTP_PORT: '0',
  CORS_ORIGINS: 'https://app.test',
  BUILD_VERSION: '9.9.9',
  LOG_LEVEL: 'silent',
};

/** What clients of tests take for no limit at all: PLENTY of @vaultsvc/testing/http. */
const PLENTY = '100000';

export const worldSettings = {
  ...limitedSettings,
  RATE_LIMIT_PER_MINUTE: PLENTY,
  RATE_LIMIT_PER_IP_PER_MINUTE: PLENTY,
};

/** Whether a line of the log is of a call that came in at once: others were sent again (ENV-36). */
export function isCounted(line: string): boolean {
  return !line.includes('RATE_LIMIT_EXCEEDED');
}
