import { validationError } from '@vaultsvc/contracts';
import type { Unsealing } from '@vaultsvc/contracts/vaults';
import { parseToken, tokenPrefixes } from '@vaultsvc/crypto/tokens';

/** The key that a caller presents. `bytes` is undefined when its checksum is wrong. */
export interface PresentedKey {
  readonly kind: 'vmk' | 'dvak';
  readonly bytes: Buffer | undefined;
}

const DVAK_SHAPE = /^dvak_[0-9A-Za-z]{49}$/;

/**
 * Exactly one of `vmk` and `dvak_token`; a delegated key in `vmk` follows the rules of `dvak_token` (VLT-13 to VLT-15,
 * AMB-21). A wrong checksum is answered like an unknown key, not as malformed input.
 */
export function presentedKey({ vmk, dvak_token: token }: Unsealing): PresentedKey {
  if (vmk !== undefined && token === undefined)
    return vmk.startsWith(tokenPrefixes.dvak)
      ? delegated('vmk', vmk)
      : { kind: 'vmk', bytes: parseToken('vmk', vmk) };
  if (token !== undefined && vmk === undefined) return delegated('dvak_token', token);
  throw validationError({ field: '', message: 'exactly one of vmk and dvak_token must be given' });
}

function delegated(field: string, text: string): PresentedKey {
  if (DVAK_SHAPE.test(text)) return { kind: 'dvak', bytes: parseToken('dvak', text) };
  throw validationError({ field, message: `${field} must be a delegated key exactly as issued` });
}
