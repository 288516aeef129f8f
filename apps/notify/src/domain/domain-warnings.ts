import { Injectable } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { describeDomainWarning, type DomainUnproven, type DomainWarning } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import type { ClaimedMessage } from '../messages/message.repository.js';

const SEPARATOR = '/'; // neither in ids nor in domains

/** The key of a warning's content: owner and domain. */
export function subjectOf({ user_id: ownerId, domain }: DomainUnproven): string {
  return `${ownerId}${SEPARATOR}${domain}`;
}

/** Reads the content of warnings about claimed domains from auth. */
@Injectable()
export class DomainWarnings {
  constructor(private readonly bus: Bus) {}

  /** Undefined if the warning is obsolete: the record was found, the claim has ended, or the owner has left. */
  async describe({
    id,
    subject_id: subject,
    request_id: requestId,
  }: ClaimedMessage): Promise<DomainWarning | undefined> {
    const [user_id = '', domain = ''] = subject.split(SEPARATOR);
    const context = serviceContext(requestId ?? id);
    try {
      return await this.bus.call(describeDomainWarning, { body: { user_id, domain } }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'DOMAIN_NOT_FOUND') return undefined;
      throw error;
    }
  }
}
