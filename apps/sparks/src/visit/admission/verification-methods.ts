import { channelOf } from '../../link/channel-of-identity.js';
import type { VisitedLink } from './visited-link.repository.js';

/** `details.verification` of the errors that ask a visitor to verify an identity. */
export interface VerificationMethods {
  /** `email` and `sms`: by a code of verify/start; `passkey`: by passkey/options. */
  readonly methods: readonly ('email' | 'sms' | 'passkey')[];
  /** Only with `passkey`: the codes after which a passkey can be enrolled. */
  readonly enrollment?: readonly ('email' | 'sms')[];
}

/** The methods for these identities, which are not revealed; null: any identity may open the link. */
export function verificationMethods(
  { policy }: Pick<VisitedLink, 'policy'>,
  identities: readonly string[] | null,
): VerificationMethods {
  const types = new Set(identities?.map(channelOf) ?? ['email', 'phone']);
  const codes = [
    ...(types.has('email') ? (['email'] as const) : []),
    ...(types.has('phone') ? (['sms'] as const) : []),
  ];
  return policy?.level === 'passkey' ? { methods: ['passkey'], enrollment: codes } : { methods: codes };
}
