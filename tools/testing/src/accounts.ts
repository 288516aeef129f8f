import {
  identityKey,
  type AccountContext,
  type Role,
  type Seat,
  type TokenDelivery,
} from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { accountContext, internalContext } from '@vaultsvc/testing/harness';
import { AccountRepository } from '../../../apps/auth/src/accounts/account.repository.js';
import { ApiKeyRepository } from '../../../apps/auth/src/api-keys/api-key.repository.js';
import { issueApiKey } from '../../../apps/auth/src/api-keys/issue-api-key.js';
import { RefreshTokens } from '../../../apps/auth/src/sessions/refresh-tokens.js';
import type { SessionOwner } from '../../../apps/auth/src/sessions/session.repository.js';
import { SessionIssuer } from '../../../apps/auth/src/sessions/session-issuer.js';

/** An account with one active user, inserted into auth's tables. */
export interface TestAccount {
  readonly accountId: string;
  readonly userId: string;
  readonly email: string;
}

export interface TestUser {
  readonly role?: Role;
  readonly seat?: Seat;
  /** Default: a new one. */
  readonly email?: string | undefined;
}

/** Creates an account whose only user has this role and seat; owner and full by default. */
export function newAccount(
  auth: RunningService,
  { role = 'owner', seat = 'full', email = `${newId('user_')}@example.test` }: TestUser = {},
): Promise<TestAccount> {
  return auth.context.get(Database).transaction(async (tx) => {
    const accounts = auth.context.get(AccountRepository);
    const accountId = await accounts.createAccount(tx, 'Test organization');
    const userId = await accounts.addUser(tx, accountId, { email, role, seat, status: 'active' });
    return { accountId, userId, email };
  });
}

export interface TestApiKey {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** The value of `X-API-Key`. */
  readonly apiKey: string;
  /** The call context that the gateway sends for this key. */
  readonly context: AccountContext;
}

/** Creates an API key of this account, or of a new one. */
export async function mintApiKey(
  auth: RunningService,
  options: { accountId?: string; expiresInDays?: number } = {},
): Promise<TestApiKey> {
  const accountId = options.accountId ?? (await newAccount(auth)).accountId;
  const request = {
    accountId,
    createdBy: 'test',
    name: 'Test key',
    expiresInDays: options.expiresInDays ?? null,
  };
  const key = await auth.context
    .get(Database)
    .transaction((tx) => issueApiKey(auth.context.get(ApiKeyRepository), tx, request));
  const context = accountContext({ accountId, credentialId: key.id });
  return { accountId, apiKeyId: key.id, apiKey: key.text, context };
}

export interface SessionOptions extends TestUser {
  /** The account to which a user is added; a new account when absent. Not for identity-only sessions. */
  readonly accountId?: string;
  /** A user of this account; a new one when absent. */
  readonly userId?: string;
  readonly sessionType?: 'full' | 'identity_only';
  /** The address of an identity-only session; a new one when absent. */
  readonly email?: string | undefined;
  /** How the refresh token is delivered; in the body when absent. */
  readonly delivery?: TokenDelivery;
}

export interface TestSession {
  /** For `Authorization: Bearer`. */
  readonly token: string;
  readonly refreshToken: string;
  readonly sessionId: string;
  /** null for an identity-only session. */
  readonly accountId: string | null;
  /** The user, or the identity of an identity-only session. */
  readonly subject: string;
}

/** Opens a session; its access token is signed with auth's key. */
export function mintSession(auth: RunningService, options: SessionOptions = {}): Promise<TestSession> {
  return options.sessionType === 'identity_only'
    ? identitySession(auth, options)
    : fullSession(auth, options);
}

async function fullSession(auth: RunningService, options: SessionOptions): Promise<TestSession> {
  const { accountId, userId } = await userOf(auth, options);
  const session = await openSession(auth, { sessionType: 'full', accountId, userId }, options.delivery);
  return { ...session, accountId, subject: userId };
}

async function userOf(auth: RunningService, options: SessionOptions) {
  const { accountId, userId } = options;
  if (accountId !== undefined && userId !== undefined) return { accountId, userId };
  return options.accountId ? addUser(auth, options.accountId, options) : newAccount(auth, options);
}

async function addUser(auth: RunningService, accountId: string, { role = 'owner', seat = 'full' }: TestUser) {
  const user = { email: `${newId('user_')}@example.test`, role, seat, status: 'active' } as const;
  const accounts = auth.context.get(AccountRepository);
  const userId = await auth.context.get(Database).transaction((tx) => accounts.addUser(tx, accountId, user));
  return { accountId, userId };
}

async function identitySession(
  auth: RunningService,
  { delivery, email }: SessionOptions,
): Promise<TestSession> {
  const identityId = await newIdentity(auth, email);
  const session = await openSession(auth, { sessionType: 'identity_only', identityId }, delivery);
  return { ...session, accountId: null, subject: identityId };
}

/** An identity that the provider has confirmed and that belongs to no account yet. */
async function newIdentity(auth: RunningService, email = `${newId('user_')}@example.test`): Promise<string> {
  const identityId = newId('idn_');
  const values = [identityId, newId('sub_'), email, identityKey(email)];
  await auth.context.get(Database).query(insertIdentity, values);
  return identityId;
}

const insertIdentity = statement(
  'test.insert-identity',
  `INSERT INTO identities (id, issuer, subject, email, email_key) VALUES ($1, 'https://issuer.test', $2, $3, $4)`,
);

async function openSession(auth: RunningService, owner: SessionOwner, delivery: TokenDelivery = 'body') {
  const sessions = auth.context.get(SessionIssuer);
  const context = {
    ...internalContext(),
    client: { delivery, userAgent: 'test' },
  };
  const secret = await auth.context.get(RefreshTokens).newSecret();
  const family = await auth.context
    .get(Database)
    .transaction((tx) => sessions.open(tx, owner, secret, context));
  const { access_token: token, refresh_token: refreshToken } = await sessions.answer(family);
  return { token, refreshToken: refreshToken as string, sessionId: family.id };
}
