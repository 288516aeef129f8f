import type { AccountContext, Role } from '@vaultsvc/contracts';
import { challengeDomain, claimDomain, listDomains, releaseDomain } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import type { RunningService } from '@vaultsvc/service';
import { DnsServer } from '@vaultsvc/testing/dns';
import { accountContext, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

/** For specs: auth on real servers, the DNS server that it asks, and the four calls of claimed domains. */
export class Claims {
  private constructor(
    readonly harness: Harness,
    readonly service: RunningService,
    readonly dns: DnsServer,
  ) {}

  /** With these settings for auth. Stop it in `afterAll`. */
  static async start(settings: Record<string, string> = {}): Promise<Claims> {
    const dns = await DnsServer.start();
    const harness = await startHarness({ LOG_LEVEL: 'silent', DNS_RESOLVERS: dns.address, ...settings });
    return new Claims(harness, await harness.start(auth), dns);
  }

  async stop(): Promise<void> {
    await this.harness.stop();
    await this.dns.stop();
  }

  /** Somebody signed in to an account of their own. */
  async newAdmin(): Promise<AccountContext> {
    const { accountId, userId } = await newAccount(this.service);
    return sessionOf(accountId, 'admin', userId);
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

  /** Puts the record that the challenge names into DNS. */
  async publish(domain: string, as: AccountContext): Promise<void> {
    const { txt_name, txt_value } = await this.challenge(domain, as);
    this.dns.setTxt(txt_name, txt_value);
  }

  /** All of it, as it should go. */
  async proveAndClaim(domain: string, as: AccountContext) {
    await this.publish(domain, as);
    return this.claim(domain, as);
  }
}

/** Somebody of this account and role, as the gateway tells auth of them. */
export function sessionOf(accountId: string, role: Role, userId: string = newId('usr_')): AccountContext {
  return accountContext({ kind: 'session', accountId, userId, role });
}

/** A domain that nobody has claimed. */
export function newDomain(): string {
  return `${newId('dom_').slice(4).toLowerCase()}.example`;
}
