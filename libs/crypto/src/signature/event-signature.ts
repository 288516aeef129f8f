import { lengthPrefixed } from '../encoding/index.js';
import { Ed25519Signer, Ed25519Verifier } from './ed25519.js';

/** Signs the events of one service with Ed25519 (RFC 8032). */
export class EventSigner {
  readonly #signer: Ed25519Signer;

  /** @param key the 32 bytes of the private key */
  constructor(key: Buffer) {
    this.#signer = new Ed25519Signer(key);
  }

  /** The signature over subject and data in base64url: 86 characters, always the same for the same input. */
  sign(subject: string, data: Uint8Array): string {
    return this.#signer.sign(signedBytes(subject, data)).toString('base64url');
  }
}

/** Verifies the events of one service. */
export class EventVerifier {
  readonly #verifiers: readonly Ed25519Verifier[];

  /** @param keys the 32 bytes of each public key that is valid; two during a rotation */
  constructor(keys: readonly Buffer[]) {
    this.#verifiers = keys.map((key) => new Ed25519Verifier(key));
  }

  /** Whether the signature belongs to this subject and data. A missing signature does not. */
  verify(subject: string, data: Uint8Array, signature: string | undefined): boolean {
    if (signature === undefined) return false;
    const bytes = signedBytes(subject, data);
    const given = Buffer.from(signature, 'base64url');
    return this.#verifiers.some((verifier) => verifier.verify(bytes, given));
  }
}

/** The subject names source and consumer, so a batch that is copied to another consumer is refused. */
function signedBytes(subject: string, data: Uint8Array): Buffer {
  return lengthPrefixed('vk/v1/events', subject, Buffer.from(data.buffer, data.byteOffset, data.byteLength));
}
