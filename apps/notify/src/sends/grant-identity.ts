import { validationError, type IdentityType } from '@vaultsvc/contracts';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import type { VerificationLevel } from '@vaultsvc/contracts/sparks';
import { identityOf, type Recipient } from '../recipients/recipient.js';

/** Those of the identities that have enrolled a passkey. */
export type FindEnrolled = (identities: readonly string[]) => Promise<readonly string[]>;

const TYPES = ['email', 'phone'] as const satisfies readonly IdentityType[];

const channelsOf: Readonly<Record<IdentityType, readonly NotifyChannel[]>> = {
  email: ['email'],
  phone: ['sms', 'voice', 'whatsapp', 'rcs'],
};

/**
 * The identity that each recipient proves with a code or a passkey; null where the link alone suffices. A code goes by another
 * channel than the link at level out_of_band, and at level passkey, where it enrolls the passkey; there the identity of an
 * enrolled passkey suffices (OPEN-64). Throws VALIDATION_ERROR for a recipient without such an identity.
 */
export async function grantIdentities(
  recipients: readonly Recipient[],
  level: VerificationLevel,
  channels: readonly NotifyChannel[],
  findEnrolled: FindEnrolled,
): Promise<(string | null)[]> {
  if (level === 'none') return recipients.map(() => null);
  const types = isByCodeApart(level) ? typesApart(level, channels) : TYPES;
  const direct = recipients.map((recipient) => firstIdentity(recipient, types));
  const lacking = recipients.filter((_, index) => direct[index] === undefined);
  const enrolled = level === 'passkey' ? await enrolledOf(lacking, findEnrolled) : [];
  return recipients.map((recipient, index) => {
    const identity = direct[index] ?? identitiesOf(recipient).find((one) => enrolled.includes(one));
    if (identity !== undefined) return identity;
    throw validationError({ field: 'recipients', message: problemOf(recipient, level, types) });
  });
}

function isByCodeApart(level: VerificationLevel): boolean {
  return level === 'out_of_band' || level === 'passkey';
}

/** The types to which a code goes by another channel than the link. */
function typesApart(level: VerificationLevel, channels: readonly NotifyChannel[]): readonly IdentityType[] {
  const preferred = level === 'out_of_band' ? (['phone', 'email'] as const) : TYPES;
  return preferred.filter((type) => !channelsOf[type].some((one) => channels.includes(one)));
}

/** Asks only for recipients who have an identity. */
async function enrolledOf(
  recipients: readonly Recipient[],
  findEnrolled: FindEnrolled,
): Promise<readonly string[]> {
  const identities = recipients.flatMap(identitiesOf);
  return identities.length === 0 ? [] : findEnrolled(identities);
}

function identitiesOf(recipient: Recipient): string[] {
  return TYPES.map((type) => identityOf(recipient, type)).filter((identity) => identity !== null);
}

function firstIdentity(recipient: Recipient, types: readonly IdentityType[]): string | undefined {
  return types.map((type) => identityOf(recipient, type)).find((found) => found !== null) ?? undefined;
}

function problemOf({ label }: Recipient, level: VerificationLevel, types: readonly IdentityType[]): string {
  const unless = level === 'passkey' ? ', unless a passkey was enrolled before' : '';
  if (types.length === 0)
    return `channels deliver to e-mail and phone: ${level} needs one of them for the code alone${unless}`;
  const words = types.map((type) => (type === 'email' ? 'an e-mail address' : 'a phone number')).join(' or ');
  return `recipient ${JSON.stringify(label)} needs ${words} for verification_level ${level}${unless}`;
}
