import { Injectable } from '@nestjs/common';
import { serviceContext, type VisitContext } from '@vaultsvc/contracts';
import { readLinkPolicy, type LinkPolicy } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import type { VisitedLink } from './visited-link.repository.js';

const POLICY_MS_MAX = 1_000;

/** Reads from auth the settings that the account of a link has for its visitors. */
@Injectable()
export class OwnerLinkPolicy {
  constructor(private readonly bus: Bus) {}

  /** Whether visitors must confirm. True also without an answer of auth: a confirmation costs nothing. */
  async requiresConfirmation(link: VisitedLink, context: VisitContext): Promise<boolean> {
    return (await this.#read(link, context))?.asks_first ?? true;
  }

  /** The name that visitors may read. Undefined also without an answer of auth, which must not disclose anything. */
  async sharedBy(link: VisitedLink, context: VisitContext): Promise<string | undefined> {
    const policy = await this.#read(link, context);
    return policy?.shows_organization && isPublishable(policy.organization_name)
      ? policy.organization_name
      : undefined;
  }

  async #read(
    { accountId }: VisitedLink,
    { requestId, deadlineMs }: VisitContext,
  ): Promise<LinkPolicy | undefined> {
    const context = serviceContext({
      requestId,
      deadlineMs: Math.min(deadlineMs, Date.now() + POLICY_MS_MAX),
    });
    return this.bus.call(readLinkPolicy, { body: { account_id: accountId } }, context).catch(() => undefined);
  }
}

/** Some organizations are named by the address of a person, which the setting does not publish. */
function isPublishable(name: string): boolean {
  return name !== '' && !/\S@\S/.test(name);
}
