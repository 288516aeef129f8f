import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { lengthPrefixed } from '../encoding/index.js';

/** The DER of an Ed25519 key before its 32 bytes (RFC 8410). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** Signs the events of one service with Ed25519 (RFC 8032). */
export class EventSigner {
  readonly #key: KeyObject;

  /** @param key the 32 bytes of the private key */
  constructor(key: Buffer) {
    this.#key = createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, key]), format: 'der', type: 'pkcs8' });
  }

  /** The signature over subject and data in base64url: 86 characters, always the same for the same input. */
  sign(subject: string, data: Uint8Array): string {
    return sign(null, signedBytes(subject, data), this.#key).toString('base64url');
  }
}

/** Verifies the events of one service. */
export class EventVerifier {
  readonly #keys: readonly KeyObject[];

  /** @param keys the 32 bytes of each public key that is valid; two during a rotation */
  constructor(keys: readonly Buffer[]) {
    this.#keys = keys.map((key) =>
      createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, key]), format: 'der', type: 'spki' }),
    );
  }

  /** Whether the signature belongs to this subject and data. A missing signature does not. */
  verify(subject: string, data: Uint8Array, signature = ''): boolean {
    const bytes = signedBytes(subject, data);
    const given = Buffer.from(signature, 'base64url');
    return this.#keys.some((key) => verify(null, bytes, key, given));
  }
}

/** The subject names source and consumer, so a batch that is copied to another consumer is refused. */
function signedBytes(subject: string, data: Uint8Array): Buffer {
  return lengthPrefixed('vk/v1/events', subject, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
}
