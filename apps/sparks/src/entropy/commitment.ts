import { createHash } from 'node:crypto';
import type { Entropy } from '@vaultsvc/contracts/sparks';
import { lp } from '@vaultsvc/crypto/encoding';

/** 256 bits: without them whoever reads the trail could try all values of a short format. */
export const OPENING_BYTES = 32;

/**
 * SHA-256 (hex) that binds value, format and reference: it tells nothing of the value to those without the opening,
 * and no other value gives the same (docs/entropy.md says how callers check it).
 */
export function commitmentTo(
  { value, format, reference_id }: Pick<Entropy, 'value' | 'format' | 'reference_id'>,
  opening: Buffer,
): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const committed = lp('vk/v1/entropy', reference_id, format, opening, text);
  const commitment = createHash('sha256').update(committed).digest('hex');
  committed.fill(0);
  return commitment;
}
