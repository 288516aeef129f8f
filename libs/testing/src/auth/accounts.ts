import type { AccountContext, Role, Seat } from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { AccountRepository } from '../../../../apps/auth/src/accounts/account.repository.js';
import { ApiKeyRepository } from '../../../../apps/auth/src/api-keys/api-key.repository.js';
import { issueApiKey } from '../../../../apps/auth/src/api-keys/issue-api-key.js';
import { SessionRepository } from '../../../../apps/auth/src/sessions/session.repository.js';
import { AccessTokens } from '../../../../apps/auth/src/tokens/access-tokens.js';
import { accountContext } from '../harness/index.js';

/** An account with one active user, made in auth's own tables. */
export interface TestAccount {
  readonly accountId: string;
  readonly userId: string;
  readonly email: string;
}

export interface TestUser {
  readonly role?: Role;
  readonly seat?: Seat;
}

/** A new account whose only user has this role and seat; owner and full by default. */
export function newAccount(
  auth: RunningService,
  { role = 'owner', seat = 'full' }: TestUser = {},
): Promise<TestAccount> {
  return auth.context.get(Database).transaction(async (tx) => {
    const accounts = auth.context.get(AccountRepository);
    const accountId = await accounts.createAccount(tx, 'Test organization');
    const email = `${newId('user_')}@example.test`;
    const userId = await accounts.addUser(tx, accountId, { email, role, seat, status: 'active' });
    return { accountId, userId, email };
  });
}

export interface TestApiKey {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** The key itself, for `X-API-Key`. */
  readonly apiKey: string;
  /** What the gateway would tell a service about a caller with this key. */
  readonly context: AccountContext;
}

/** An API key of this account, or of a new one. */
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
  /** Of a user added to this account; a new account when absent. Not for identity-only sessions. */
  readonly accountId?: string;
  readonly sessionType?: 'full' | 'identity_only';
}

export interface TestSession {
  /** For `Authorization: Bearer`. */
  readonly token: string;
  readonly sessionId: string;
  /** null for an identity-only session. */
  readonly accountId: string | null;
  /** The user, or the identity of an identity-only session. */
  readonly subject: string;
}

/** A session and its access token, signed by auth's own key. */
export function mintSession(auth: RunningService, options: SessionOptions = {}): Promise<TestSession> {
  return options.sessionType === 'identity_only' ? identitySession(auth) : fullSession(auth, options);
}

const CLIENT_ID = 'test';

async function fullSession(auth: RunningService, options: SessionOptions): Promise<TestSession> {
  const { accountId, userId } = options.accountId
    ? await addUser(auth, options.accountId, options)
    : await newAccount(auth, options);
  const sessions = auth.context.get(SessionRepository);
  const sessionId = await sessions.open(auth.context.get(Database), {
    sessionType: 'full',
    accountId,
    userId,
  });
  const token = await auth.context
    .get(AccessTokens)
    .signAccessToken({ userId, accountId, sessionId, clientId: CLIENT_ID });
  return { token, sessionId, accountId, subject: userId };
}

async function addUser(auth: RunningService, accountId: string, { role = 'owner', seat = 'full' }: TestUser) {
  const user = { email: `${newId('user_')}@example.test`, role, seat, status: 'active' } as const;
  const accounts = auth.context.get(AccountRepository);
  const userId = await auth.context.get(Database).transaction((tx) => accounts.addUser(tx, accountId, user));
  return { accountId, userId };
}

async function identitySession(auth: RunningService): Promise<TestSession> {
  const identityId = newId('idn_');
  const sessions = auth.context.get(SessionRepository);
  const sessionId = await sessions.open(auth.context.get(Database), {
    sessionType: 'identity_only',
    identityId,
  });
  const token = await auth.context
    .get(AccessTokens)
    .signIdentityToken({ identityId, sessionId, clientId: CLIENT_ID });
  return { token, sessionId, accountId: null, subject: identityId };
}
