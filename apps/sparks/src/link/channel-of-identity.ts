import { identityTypeOf, isKnownEmail, type IdentityType } from '@vaultsvc/contracts';

/** The channel that reaches a stored identity. Some invites have addresses that are no longer accepted. */
export function channelOf(identity: string): IdentityType {
  const type = identityTypeOf(identity) ?? (isKnownEmail(identity) ? 'email' : undefined);
  if (!type) throw new Error('neither an e-mail address nor a phone number');
  return type;
}
