import type { DomainUnproven } from '@vaultsvc/contracts/auth';

const SEPARATOR = '/'; // neither in ids nor in domains

/** The key of a warning's content: owner and domain. */
export function subjectOf({ user_id: ownerId, domain }: DomainUnproven): string {
  return `${ownerId}${SEPARATOR}${domain}`;
}

/** Owner and domain of a key. */
export function readSubject(subject: string): { readonly user_id: string; readonly domain: string } {
  const [user_id = '', domain = ''] = subject.split(SEPARATOR);
  return { user_id, domain };
}
