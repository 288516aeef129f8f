import { randomBytes } from 'node:crypto';
import type { Faults } from './faults.ts';
import { assertGranted, type Grant } from './grants.ts';
import { KmsError } from './kms-error.ts';
import type { FoundKey, MasterKeys } from './master-keys.ts';

const RANDOM_BYTES_MAX = 1_024;
const PLAINTEXT_BYTES_MAX = 4_096;
const CIPHERTEXT_BYTES_MAX = 6_144;

/** The members of a request, unchecked, with their AWS names. */
export interface KmsRequest {
  CiphertextBlob?: unknown;
  EncryptionContext?: unknown;
  KeyId?: unknown;
  KeySpec?: unknown;
  NumberOfBytes?: unknown;
  Plaintext?: unknown;
}

export interface OperationContext {
  masterKeys: MasterKeys;
  faults: Faults;
  /** Of the caller. */
  grant: Grant;
}

/** @throws KmsError */
export type Operation = (request: KmsRequest, context: OperationContext) => object;

/** The operations of TrentService that the product uses, with their AWS names and limits. */
export const operations: Readonly<Record<string, Operation>> = {
  GenerateRandom({ NumberOfBytes: count }, { faults, grant }) {
    assertGranted(grant);
    assertInteger(count, 'NumberOfBytes', RANDOM_BYTES_MAX);
    return { Plaintext: (faults.zeros ? Buffer.alloc(count) : randomBytes(count)).toString('base64') };
  },

  GenerateDataKey({ KeyId, KeySpec, NumberOfBytes, EncryptionContext }, { masterKeys, grant }) {
    const key = grantedKey(masterKeys, KeyId, grant);
    const plaintext = randomBytes(dataKeyBytes(KeySpec, NumberOfBytes));
    const blob = masterKeys.seal(key, plaintext, aadOf(EncryptionContext));
    return {
      CiphertextBlob: blob.toString('base64'),
      Plaintext: plaintext.toString('base64'),
      KeyId: key.arn,
    };
  },

  Encrypt({ KeyId, Plaintext, EncryptionContext }, { masterKeys, grant }) {
    const key = grantedKey(masterKeys, KeyId, grant);
    const plaintext = blobOf(Plaintext, 'Plaintext', PLAINTEXT_BYTES_MAX);
    const blob = masterKeys.seal(key, plaintext, aadOf(EncryptionContext));
    return {
      CiphertextBlob: blob.toString('base64'),
      KeyId: key.arn,
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
    };
  },

  Decrypt({ KeyId, CiphertextBlob, EncryptionContext }, { masterKeys, grant }) {
    const blob = blobOf(CiphertextBlob, 'CiphertextBlob', CIPHERTEXT_BYTES_MAX);
    assertGranted(grant, masterKeys.keyOf(blob).alias);
    const { key, plaintext } = masterKeys.open(blob, aadOf(EncryptionContext));
    if (KeyId !== undefined && masterKeys.find(KeyId).id !== key.id)
      throw new KmsError('IncorrectKeyException');
    return {
      Plaintext: plaintext.toString('base64'),
      KeyId: key.arn,
      EncryptionAlgorithm: 'SYMMETRIC_DEFAULT',
    };
  },

  DescribeKey({ KeyId }, { masterKeys, grant }) {
    const { id, arn } = grantedKey(masterKeys, KeyId, grant);
    const usage = {
      KeyUsage: 'ENCRYPT_DECRYPT',
      KeySpec: 'SYMMETRIC_DEFAULT',
      KeyState: 'Enabled',
      Enabled: true,
    };
    return { KeyMetadata: { KeyId: id, Arn: arn, Origin: 'AWS_KMS', KeyManager: 'CUSTOMER', ...usage } };
  },
};

/** The named key, if the caller may use it. */
function grantedKey(masterKeys: MasterKeys, name: unknown, grant: Grant): FoundKey {
  const key = masterKeys.find(name);
  assertGranted(grant, key.alias);
  return key;
}

function dataKeyBytes(spec: unknown, count: unknown): number {
  if ((spec === undefined) === (count === undefined)) {
    throw new KmsError('ValidationException', 'give either KeySpec or NumberOfBytes');
  }
  if (spec === 'AES_256') return 32;
  if (spec === 'AES_128') return 16;
  if (spec !== undefined) throw new KmsError('ValidationException', 'KeySpec must be AES_256 or AES_128');
  assertInteger(count, 'NumberOfBytes', RANDOM_BYTES_MAX);
  return count;
}

/** KMS compares contexts as unordered sets of pairs, so the pairs are sorted. */
function aadOf(context: unknown = {}): Buffer {
  const isObject = context !== null && typeof context === 'object' && !Array.isArray(context);
  if (!isObject || Object.values(context).some((value) => typeof value !== 'string')) {
    throw new KmsError('ValidationException', 'EncryptionContext must map names to strings');
  }
  const pairs = Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1));
  return Buffer.from(JSON.stringify(pairs), 'utf8');
}

function blobOf(text: unknown, name: string, bytesMax: number): Buffer {
  const blob = typeof text === 'string' ? Buffer.from(text, 'base64') : undefined;
  if (!blob || blob.toString('base64') !== text)
    throw new KmsError('SerializationException', `${name} is not base64`);
  if (blob.length < 1 || blob.length > bytesMax) {
    throw new KmsError('ValidationException', `${name} must have 1 to ${bytesMax} bytes`);
  }
  return blob;
}

function assertInteger(value: unknown, name: string, max: number): asserts value is number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max) {
    throw new KmsError('ValidationException', `${name} must be a whole number from 1 to ${max}`);
  }
}
