import { validationError, type IdentityType } from '@vaultsvc/contracts';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import type { VerificationLevel } from '@vaultsvc/contracts/sparks';
import { identityOf, type Recipient } from '../recipients/recipient.js';

/** The identity that a recipient proves with a code or a passkey; null where the link alone suffices. */
export function grantIdentity(
  recipient: Recipient,
  level: VerificationLevel,
  channels: readonly NotifyChannel[],
): string | null {
  if (level === 'none') return null;
  const types = level === 'out_of_band' ? typesApart(channels) : (['email', 'phone'] as const);
  const identity = types.map((type) => identityOf(recipient, type)).find((found) => found !== null);
  if (identity) return identity;
  throw validationError({ field: 'recipients', message: problemOf(recipient, level, types) });
}

const channelsOf: Readonly<Record<IdentityType, readonly NotifyChannel[]>> = {
  email: ['email'],
  phone: ['sms', 'voice', 'whatsapp', 'rcs'],
};

/** The types to which a code goes by another channel than the link (OPEN-64). */
function typesApart(channels: readonly NotifyChannel[]): IdentityType[] {
  return (['phone', 'email'] as const).filter(
    (type) => !channelsOf[type].some((one) => channels.includes(one)),
  );
}

function problemOf({ label }: Recipient, level: VerificationLevel, types: readonly IdentityType[]): string {
  if (types.length === 0)
    return `channels deliver to e-mail and phone: ${level} needs one of them for the code alone`;
  const words = types.map((type) => (type === 'email' ? 'an e-mail address' : 'a phone number')).join(' or ');
  return `recipient ${JSON.stringify(label)} needs ${words} for verification_level ${level}`;
}
