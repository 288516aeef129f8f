import { randomBytes } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import type { EncryptionContext, Kms } from '@vaultsvc/crypto/kms';
import { ShareKeyCache } from './share-keys.js';

const vault = { accountId: 'acc_1', vaultId: 'vlt_1' };
const kept = { keyId: 'dvk_1', wrapped: Buffer.from('wrapped') };

/** Key management that counts how often it is asked, and keeps what it has given out in clear. */
function counted() {
  const given: Buffer[] = [];
  const give = () => given[given.push(randomBytes(32)) - 1] as Buffer;
  const decrypt = jest.fn((_: Buffer, _context: EncryptionContext) => Promise.resolve(give()));
  const generateDataKey = (_: EncryptionContext) =>
    Promise.resolve({ plaintext: give(), wrapped: Buffer.from('fresh') });
  const kms = { decrypt, generateDataKey, close: () => undefined };
  return { given, decrypt, keys: new ShareKeyCache(kms as unknown as Kms) };
}
const isWiped = (key: Buffer | undefined) => key?.every((byte) => byte === 0);

describe('share keys in memory', () => {
  it('KMS is asked once for a vault, however many open its shares, and is told whose key it is', async () => {
    const { given, decrypt, keys } = counted();
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

  it('one is forgotten and wiped after 5 minutes, also when nobody asks for it any more', async () => {
    jest.useFakeTimers();
    try {
      const { given, decrypt, keys } = counted();
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

  it('one that is lent is wiped when its last borrower is done; a new one is wiped at once', async () => {
    const { given, keys } = counted();
    await keys.withKey(vault, kept, async (key) => {
      keys.onApplicationShutdown();
      await Promise.resolve();
      expect(isWiped(key)).toBe(false);
    });
    expect(isWiped(given[0])).toBe(true);
    expect(await keys.generate(vault)).toEqual(Buffer.from('fresh'));
    expect(isWiped(given[1])).toBe(true);
  });

  it('ENV-30: a failure of KMS is the failure of those who wait, and the next asks again', async () => {
    const { decrypt, keys } = counted();
    decrypt.mockRejectedValueOnce(new Error('away'));
    const lend = () => keys.withKey(vault, kept, () => 'lent');
    await expect(Promise.all([lend(), lend()])).rejects.toThrow('away');
    expect(await lend()).toBe('lent');
  });
});
