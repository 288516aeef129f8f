import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type AppError, validationError } from '@vaultsvc/contracts';
import type { Checksum } from '@vaultsvc/crypto/container';
import { decodeBase64 } from '@vaultsvc/crypto/encoding';

const HEADER = 'Upload-Checksum';
const SYNTAX = /^(\S+) (\S+)$/;
const digestBytes = new Map([
  ['sha1', 20],
  ['sha256', 32],
]);

/**
 * The checksum of a chunk, in the syntax of the checksum extension of tus 1.0.0: the name of an algorithm, a space, and the
 * digest in base64. The extension is not announced (FRG-02), but a checksum that was sent is never ignored.
 */
export function checksumOf({ headers }: IncomingMessage): Checksum | undefined {
  const header = headers['upload-checksum'];
  if (header === undefined) return undefined;
  const [, algorithm = '', text = ''] = SYNTAX.exec(String(header)) ?? [];
  if (algorithm === '') throw invalid('must be an algorithm, a space, and the digest in base64');
  const bytes = digestBytes.get(algorithm);
  if (bytes === undefined) throw invalid(`must use one of ${[...digestBytes.keys()].join(', ')}`);
  const digest = decodeBase64(text);
  if (digest?.length !== bytes) throw invalid(`must have ${bytes} bytes in base64, with padding`);
  return { algorithm: algorithm as Checksum['algorithm'], digest };
}

/** Throws 400 unless the checksum, if there is one, is that of no bytes. */
export function assertChecksumOfNothing(checksum: Checksum | undefined): void {
  if (checksum && !hash(checksum.algorithm, '', 'buffer').equals(checksum.digest)) throw wrongChecksum();
}

export function wrongChecksum(): AppError {
  return invalid('does not match the received bytes, which were not stored');
}

function invalid(message: string): AppError {
  return validationError({ field: HEADER, message });
}
