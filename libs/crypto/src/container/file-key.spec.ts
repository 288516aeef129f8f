import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { type Label, unwrapKey } from '../wrap/index.js';
import {
  type FileIds,
  type FileKeyHolder,
  Tampered,
  type TransferTerms,
  unwrapFileKey,
  wrapFileKey,
  WrongKey,
} from './index.js';

const file: FileIds = { accountId: 'acc_A', vaultId: 'vlt_A', ingotId: 'ing_A', versionId: 'ver_A' };
const terms: TransferTerms = {
  operation: 'decrypt',
  bytesMax: 1_000,
  mode: 'once',
  expiresAt: 1_795_330_800,
};
const holders: FileKeyHolder[] = [
  { holder: 'vk' },
  { holder: 'upload' },
  { holder: 'link' },
  { holder: 'share' },
  { holder: 'istk', terms },
];
const [secret, fileKey] = [randomBytes(32), randomBytes(32)];

describe('MISC-03 FRG-30 FRG-36: A wrapped file key', () => {
  it.each(holders)('of holder $holder unwraps with the same secret, version and terms', (by) => {
    const blob = wrapFileKey(secret, file, by, fileKey);
    expect(unwrapFileKey(secret, file, by, blob)).toEqual(fileKey);
    expect(blob.includes(fileKey)).toBe(false);
  });

  it.each(holders)(
    'of holder $holder throws WrongKey for another secret, account, vault, ingot or version',
    (by) => {
      const blob = wrapFileKey(secret, file, by, fileKey);
      expect(() => unwrapFileKey(randomBytes(32), file, by, blob)).toThrow(WrongKey);
      for (const field of ['accountId', 'vaultId', 'ingotId', 'versionId'] as const) {
        expect(() => unwrapFileKey(secret, { ...file, [field]: 'other' }, by, blob)).toThrow(WrongKey);
      }
    },
  );

  it.each(holders)('of holder $holder does not unwrap as that of another holder', (by) => {
    const blob = wrapFileKey(secret, file, by, fileKey);
    for (const other of holders.filter(({ holder }) => holder !== by.holder)) {
      expect(() => unwrapFileKey(secret, file, other, blob)).toThrow(WrongKey);
    }
  });

  it('of holder istk is refused with another operation, limit, mode or expiry', () => {
    const blob = wrapFileKey(secret, file, { holder: 'istk', terms }, fileKey);
    const changes: Partial<TransferTerms>[] = [
      { operation: 'encrypt' },
      { bytesMax: 1_001 },
      { mode: 'stream' },
      { expiresAt: terms.expiresAt + 1 },
    ];
    for (const change of changes) {
      const changed: FileKeyHolder = { holder: 'istk', terms: { ...terms, ...change } };
      expect(() => unwrapFileKey(secret, file, changed, blob)).toThrow(Tampered);
    }
  });

  it.each(holders)('of holder $holder has its label, and its ids and terms in the documented order', (by) => {
    const blob = wrapFileKey(secret, file, by, fileKey);
    const label: Label = `vk/v1/file-key/${by.holder}`;
    const attributes = by.holder === 'istk' ? ['decrypt', '1000', 'once', '1795330800'] : [];
    expect(unwrapKey(secret, label, ['acc_A', 'vlt_A', 'ing_A', 'ver_A'], attributes, blob)).toEqual(fileKey);
  });
});
