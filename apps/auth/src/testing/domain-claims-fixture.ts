import type { AccountContext, Role } from '@vaultsvc/contracts';
import { challengeDomain, claimDomain, listDomains, releaseDomain } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { DnsServer } from '@vaultsvc/testing/dns';
import { accountContext, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

/** Auth on real servers with a DNS server, and the four operations on claimed domains. */
export class DomainClaimsFixture {
  private constructor(
    readonly harness: Harness,
    readonly service: RunningService,
    readonly dns: DnsServer,
  ) {}

  /** Starts auth with these settings. Call `stop` in `afterAll`. */
  static async start(settings: Record<string, string> = {}): Promise<DomainClaimsFixture> {
    const dns = await DnsServer.start();
    const harness = await startHarness({ LOG_LEVEL: 'silent', DNS_RESOLVERS: dns.address, ...settings });
    return new DomainClaimsFixture(harness, await harness.start(auth), dns);
  }

  async stop(): Promise<void> {
    await this.harness.stop();
    await this.dns.stop();
  }

  /** The session of an admin in a new account. */
  async newAdmin(): Promise<AccountContext> {
    const { accountId, userId } = await newAccount(this.service);
    return sessionContextOf(accountId, 'admin', userId);
  }

  challenge(domain: string, as: AccountContext) {
    return this.harness.bus.call(challengeDomain, { body: { domain } }, as);
  }

  claim(domain: string, as: AccountContext) {
    return this.harness.bus.call(claimDomain, { body: { domain } }, as);
  }

  list(as: AccountContext) {
    return this.harness.bus.call(listDomains, {}, as);
  }

  release(domain: string, as: AccountContext) {
    return this.harness.bus.call(releaseDomain, { params: { domain } }, as);
  }

  /** Publishes the record of the challenge in DNS. */
  async publish(domain: string, as: AccountContext): Promise<void> {
    const { txt_name, txt_value } = await this.challenge(domain, as);
    this.dns.setTxt(txt_name, txt_value);
  }

  /** Publishes the record and claims the domain. */
  async proveAndClaim(domain: string, as: AccountContext) {
    await this.publish(domain, as);
    return this.claim(domain, as);
  }
}

/** The context of a session with this account and role, as the gateway passes it to auth. */
export function sessionContextOf(
  accountId: string,
  role: Role,
  userId: string = newId('usr_'),
): AccountContext {
  return accountContext({ kind: 'session', accountId, userId, role });
}

/** A domain without a claim. */
export function newDomain(): string {
  return `${newId('dom_').slice(4).toLowerCase()}.example`;
}
