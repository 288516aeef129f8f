import { Injectable } from '@nestjs/common';
import { serviceContext, type VisitContext } from '@vaultsvc/contracts';
import { readLinkPolicy } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import type { VisitedLink } from './visited-link.repository.js';

const ANSWER_MS = 1_000;

/** Whether the account of a link wants its visitors to click before anything is opened. */
@Injectable()
export class LinkPolicy {
  constructor(private readonly bus: Bus) {}

  /** True as well when nobody can say: a click too many loses nothing, and the link opens with it. */
  async asksFirst({ accountId }: VisitedLink, { requestId, deadlineMs }: VisitContext): Promise<boolean> {
    const context = serviceContext(requestId, Math.min(deadlineMs, Date.now() + ANSWER_MS));
    const asking = this.bus.call(readLinkPolicy, { body: { account_id: accountId } }, context);
    return asking.then(
      (policy) => policy.asks_first,
      () => true,
    );
  }
}
