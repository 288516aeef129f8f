import { randomBytes } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import type { EncryptionContext, Kms } from '@vaultsvc/crypto/kms';
import { ShareKeyCache } from './share-keys.js';

const vault = { accountId: 'acc_1', vaultId: 'vlt_1' };
const kept = { keyId: 'dvk_1', wrapped: Buffer.from('wrapped') };

/** A fake KMS that counts calls and remembers the plaintext keys that it returned. */
function fakeKms() {
  const given: Buffer[] = [];
  const give = () => given[given.push(randomBytes(32)) - 1] as Buffer;
  const decrypt = jest.fn((_: Buffer, _context: EncryptionContext) => Promise.resolve(give()));
  const generateDataKey = (_: EncryptionContext) =>
    Promise.resolve({ plaintext: give(), wrapped: Buffer.from('fresh') });
  const kms = { decrypt, generateDataKey, close: () => undefined };
  return { given, decrypt, keys: new ShareKeyCache(kms as unknown as Kms) };
}
const isWiped = (key: Buffer | undefined) => key?.every((byte) => byte === 0);

describe('ShareKeyCache', () => {
  it('calls KMS once per vault for concurrent uses, with the encryption context of the vault', async () => {
    const { given, decrypt, keys } = fakeKms();
    const lent = await Promise.all(
      Array.from({ length: 20 }, () => keys.withKey(vault, kept, (key) => key.toString('hex'))),
    );
    expect(new Set(lent)).toEqual(new Set([given[0]?.toString('hex')]));
    expect(decrypt.mock.calls).toEqual([
      [
        kept.wrapped,
        { svc: 'vaults', purpose: 'vault-share', account_id: vault.accountId, vault_id: vault.vaultId },
      ],
    ]);
    keys.onApplicationShutdown();
    expect(isWiped(given[0])).toBe(true);
  });

  it('wipes a key after 5 minutes, used or not', async () => {
    jest.useFakeTimers();
    try {
      const { given, decrypt, keys } = fakeKms();
      await keys.withKey(vault, kept, () => undefined);
      jest.advanceTimersByTime(299_000);
      expect(isWiped(given[0])).toBe(false);
      jest.advanceTimersByTime(1_001);
      expect(isWiped(given[0])).toBe(true);
      await keys.withKey(vault, kept, () => undefined);
      expect(decrypt).toHaveBeenCalledTimes(2);
    } finally {
      jest.useRealTimers();
    }
  });

  it('wipes a key in use when its last user is done, and a generated key at once', async () => {
    const { given, keys } = fakeKms();
    await keys.withKey(vault, kept, async (key) => {
      keys.onApplicationShutdown();
      await Promise.resolve();
      expect(isWiped(key)).toBe(false);
    });
    expect(isWiped(given[0])).toBe(true);
    expect(await keys.generate(vault)).toEqual(Buffer.from('fresh'));
    expect(isWiped(given[1])).toBe(true);
  });

  it('ENV-30: rejects all waiting calls when KMS fails, and calls KMS again for the next one', async () => {
    const { decrypt, keys } = fakeKms();
    decrypt.mockRejectedValueOnce(new Error('away'));
    const lend = () => keys.withKey(vault, kept, () => 'lent');
    await expect(Promise.all([lend(), lend()])).rejects.toThrow('away');
    expect(await lend()).toBe('lent');
  });
});
