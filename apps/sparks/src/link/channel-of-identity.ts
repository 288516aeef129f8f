import { identityTypeOf, type IdentityType } from '@vaultsvc/contracts';

/** The channel that reaches an identity. */
export function channelOf(identity: string): IdentityType {
  const type = identityTypeOf(identity);
  if (!type) throw new Error('neither an e-mail address nor a phone number');
  return type;
}
