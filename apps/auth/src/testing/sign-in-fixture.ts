import type { TokenDelivery } from '@vaultsvc/contracts';
import {
  completeSignup,
  exchangeCode,
  resolveCredential,
  verifyIdentity,
  type OpenedSession,
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
import { sessionContext } from './sessions.js';
import { TestProvider, type TestPerson, type TestProviderOptions } from './test-provider.js';

let names = 0;

/** Auth on real servers, with a real provider, called as the gateway calls it. */
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

  /** A person with an address in a domain that no other person of the tests has. */
  newPerson(person: TestPerson = {}): { readonly subject: string; readonly email: string } {
    const email = person.email ?? `ann@d${++names}.example.test`;
    return { subject: this.provider.addPerson({ ...person, email }), email };
  }

  /** The whole way of a code. */
  async signIn(subject: string, delivery: TokenDelivery = 'body'): Promise<OpenedSession> {
    const body = await this.provider.signIn(subject);
    return this.harness.bus.call(exchangeCode, { body }, sessionContext(delivery));
  }

  /** The way of an ID token, which must hold the claims. */
  verify(token: string, delivery: TokenDelivery = 'body'): Promise<OpenedSession> {
    return this.harness.bus.call(verifyIdentity, { body: { token } }, sessionContext(delivery));
  }

  /** With the identity-only session that a sign-in has given. */
  completeSignup(session: OpenedSession, body: Partial<SignUp> = {}): Promise<OpenedSession> {
    const { sub, sid } = sessionOf(session);
    const credential = { kind: 'identity', identityId: sub, credentialId: sid } as const;
    const signUp = { organization_name: 'Org', ...body };
    return this.harness.bus.call(completeSignup, { body: signUp }, sessionContext('body', credential));
  }

  /** Whether the session authenticates now. */
  async isLive(session: OpenedSession): Promise<boolean> {
    const body = { kind: 'session', key: sessionOf(session).sid } as const;
    return (await this.harness.bus.call(resolveCredential, { body }, sessionContext())).found;
  }

  /** An account with one active owner, and people beside. */
  async newAccount(...people: NewUser[]): Promise<{ accountId: string; userIds: string[] }> {
    const accounts = this.service.context.get(AccountRepository);
    const owner = {
      email: `owner@d${++names}.example.test`,
      role: 'owner',
      seat: 'full',
      status: 'active',
    } as const;
    return this.service.context.get(Database).transaction(async (tx) => {
      const accountId = await accounts.createAccount(tx, 'Other organization');
      const userIds = [];
      for (const user of [owner, ...people]) userIds.push(await accounts.addUser(tx, accountId, user));
      return { accountId, userIds: userIds.slice(1) };
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

  /** Rows of auth's own tables. */
  rows(sql: string, ...values: unknown[]): Promise<Record<string, unknown>[]> {
    return rowsOf(this.service, sql, values);
  }

  /** Names and payloads of the events about this account, oldest first. */
  eventsOf(accountId: string): Promise<Pick<OutboxEvent, 'name' | 'payload'>[]> {
    return outboxEvents(this.service, { account_id: accountId }, { columns: ['name', 'payload'] });
  }
}

/** Somebody invited under this address. */
export function invited(email: string, rest: Partial<NewUser> = {}): NewUser {
  return { email, role: 'member', seat: 'viewer', status: 'invited', ...rest };
}

/** Whose session it is, and which one, as its access token says. */
export function sessionOf({ access_token: token }: OpenedSession): { sub: string; sid: string } {
  return decodeJwt(token) as { sub: string; sid: string };
}
