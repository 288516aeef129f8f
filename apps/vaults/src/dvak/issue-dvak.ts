import { mintToken, type MintedToken } from '@vaultsvc/crypto/tokens';

const DRAWS_MAX = 16;

/**
 * Draws keys until one is taken: its last four letters, by which it is revoked, name no other key of the vault. They
 * come from a checksum and spread evenly, so that 16 draws fail in no vault that anybody fills.
 */
export async function issueDvak<T>(
  take: (token: MintedToken) => Promise<T | undefined>,
  mint: () => MintedToken = () => mintToken('dvak'),
): Promise<T> {
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    const token = mint();
    try {
      const taken = await take(token);
      if (taken !== undefined) return taken;
    } finally {
      token.bytes.fill(0);
    }
  }
  throw new Error(`no delegated key with letters of its own in ${DRAWS_MAX} draws`);
}
