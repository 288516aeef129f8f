import { mintToken, type MintedToken } from '@vaultsvc/crypto/tokens';

const DRAWS_MAX = 16;

/**
 * Mints keys until `insert` accepts one: the last four letters, by which a key is revoked, must be unique in its vault.
 * They are part of a checksum and evenly distributed, so 16 draws suffice in any vault of realistic size.
 */
export async function issueDvak<T>(
  insert: (token: MintedToken) => Promise<T | undefined>,
  mint: () => MintedToken = () => mintToken('dvak'),
): Promise<T> {
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const token = mint();
    try {
      const inserted = await insert(token);
      if (inserted !== undefined) return inserted;
    } finally {
      token.bytes.fill(0);
    }
  }
  throw new Error(`no delegated key with letters of its own in ${DRAWS_MAX} draws`);
}
