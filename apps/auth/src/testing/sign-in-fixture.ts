import type { CallContext, TokenDelivery } from '@vaultsvc/contracts';
import {
  acceptInvitation,
  completeSignup,
  exchangeCode,
  resolveCredential,
  verifyIdentity,
  type OpenedSession,
  type SignInSession,
  type SignUp,
} from '@vaultsvc/contracts/auth';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import {
  outboxEvents,
  rowsOf,
  startHarness,
  type Harness,
  type OutboxEvent,
} from '@vaultsvc/testing/harness';
import { decodeJwt } from 'jose';
import { AccountRepository, type NewUser } from '../accounts/account.repository.js';
import { auth } from '../service-definition.js';
import { sessionContext } from './session-fixture.js';
import { TestProvider, type ProviderUser, type TestProviderOptions } from './test-provider.js';

let domainCount = 0;

/** Auth on real servers with an OpenID provider, called as the gateway calls it. */
export class SignInFixture {
  private constructor(
    readonly harness: Harness,
    readonly provider: TestProvider,
    readonly service: RunningService,
  ) {}

  static async start(
    options: TestProviderOptions,
    settings: Record<string, string> = {},
  ): Promise<SignInFixture> {
    const [harness, provider] = await Promise.all([
      startHarness({ LOG_LEVEL: 'silent', ...settings }),
      TestProvider.start(options),
    ]);
    return new SignInFixture(harness, provider, await harness.start(auth, provider.settings));
  }

  async stop(): Promise<void> {
    await this.harness.stop();
    await this.provider.pause();
  }

  /** Adds a user to the provider, with an address in a domain of its own. */
  addProviderUser(user: ProviderUser = {}): { readonly subject: string; readonly email: string } {
    const email = user.email ?? `ann@d${++domainCount}.example.test`;
    return { subject: this.provider.addUser({ ...user, email }), email };
  }

  /** Signs in at the provider and exchanges the code. */
  async signIn(subject: string, delivery: TokenDelivery = 'body'): Promise<SignInSession> {
    const body = await this.provider.signIn(subject);
    return this.harness.bus.call(exchangeCode, { body, query: {} }, sessionContext(delivery));
  }

  /** Signs in by an ID token, which must contain the claims. */
  verify(token: string, delivery: TokenDelivery = 'body'): Promise<SignInSession> {
    return this.harness.bus.call(verifyIdentity, { body: { token } }, sessionContext(delivery));
  }

  /** Signs in by a new ID token. */
  async signInByToken(subject: string): Promise<SignInSession> {
    return this.verify(await this.provider.idToken(subject));
  }

  /** Completes the sign-up with the identity-only session of a sign-in. */
  completeSignup(session: OpenedSession, body: Partial<SignUp> = {}): Promise<OpenedSession> {
    const signUp = { organization_name: 'Org', ...body };
    return this.harness.bus.call(completeSignup, { body: signUp }, identityContextOf(session));
  }

  /** Accepts an invitation with the identity-only session of a sign-in. */
  acceptInvitation(invitation_id: string, session: OpenedSession): Promise<OpenedSession> {
    return this.harness.bus.call(acceptInvitation, { params: { invitation_id } }, identityContextOf(session));
  }

  /** Whether auth resolves the session now. */
  async isLive(session: OpenedSession): Promise<boolean> {
    const body = { kind: 'session', key: tokenClaimsOf(session).sid } as const;
    return (await this.harness.bus.call(resolveCredential, { body }, sessionContext())).found;
  }

  /** An account with an active owner and these users; `userIds` are theirs. */
  async newAccount(...users: NewUser[]): Promise<{ accountId: string; ownerId: string; userIds: string[] }> {
    const accounts = this.service.context.get(AccountRepository);
    const owner = {
      email: `owner@d${++domainCount}.example.test`,
      role: 'owner',
      seat: 'full',
      status: 'active',
    } as const;
    return this.service.context.get(Database).transaction(async (tx) => {
      const accountId = await accounts.createAccount(tx, 'Other organization');
      const userIds = [];
      for (const user of [owner, ...users]) userIds.push(await accounts.addUser(tx, accountId, user));
      return { accountId, ownerId: userIds[0] as string, userIds: userIds.slice(1) };
    });
  }

  async claim(accountId: string, email: string): Promise<void> {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    await this.rows(`INSERT INTO domains (domain, account_id) VALUES ($1, $2)`, domain, accountId);
  }

  async release(email: string): Promise<void> {
    const domain = email.slice(email.lastIndexOf('@') + 1);
    await this.rows(`DELETE FROM domains WHERE domain = $1`, domain);
  }

  /** Runs SQL in auth's schema and returns the rows. */
  rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    return rowsOf(this.service, sql, values);
  }

  /** Names and payloads of the events of this account, oldest first. */
  eventsOf(accountId: string): Promise<Pick<OutboxEvent, 'name' | 'payload'>[]> {
    return outboxEvents(this.service, { account_id: accountId }, { columns: ['name', 'payload'] });
  }
}

/** An invited user with this address. */
export function invitedUser(email: string, rest: Partial<NewUser> = {}): NewUser {
  return { email, role: 'member', seat: 'viewer', status: 'invited', ...rest };
}

/** The owner of a first account with this address, before the first sign-in (OPEN-62). */
export function firstOwner(email: string, rest: Partial<NewUser> = {}): NewUser {
  return invitedUser(email, { role: 'owner', seat: 'full', joinsAtSignIn: true, ...rest });
}

/** The call context that the gateway sends for an identity-only session. */
export function identityContextOf(session: OpenedSession): CallContext {
  const { sub, sid } = tokenClaimsOf(session);
  return sessionContext('body', { kind: 'identity', identityId: sub, credentialId: sid });
}

/** Subject and session id of the access token. */
export function tokenClaimsOf({ access_token: token }: OpenedSession): { sub: string; sid: string } {
  return decodeJwt(token) as { sub: string; sid: string };
}
