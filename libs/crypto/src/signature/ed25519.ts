import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** The DER of an Ed25519 key before its 32 bytes (RFC 8410). */
const PRIVATE_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

const KEY_BYTES = 32;

/** Signs bytes with Ed25519 (RFC 8032). The caller makes sure that one key signs one kind of message. */
export class Ed25519Signer {
  /** The 32 bytes of the public key. */
  readonly publicKey: Buffer;
  readonly #key: KeyObject;

  /** @param key the 32 bytes of the private key (RFC 8032, section 5.1.5). @throws RangeError for another length */
  constructor(key: Buffer) {
    this.#key = createPrivateKey({ key: withHead(PRIVATE_HEAD, key), format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(this.#key).export({ format: 'der', type: 'spki' });
    this.publicKey = spki.subarray(PUBLIC_HEAD.length);
  }

  /** The signature: 64 bytes, always the same for the same bytes. */
  sign(bytes: Uint8Array): Buffer {
    return sign(null, bytes, this.#key);
  }
}

/** Verifies the signatures of one key. */
export class Ed25519Verifier {
  readonly #key: KeyObject;

  /** @param key the 32 bytes of the public key. @throws RangeError for another length */
  constructor(key: Buffer) {
    this.#key = createPublicKey({ key: withHead(PUBLIC_HEAD, key), format: 'der', type: 'spki' });
  }

  /** Whether the signature belongs to these bytes; false for one of a wrong length. */
  verify(bytes: Uint8Array, signature: Uint8Array): boolean {
    return verify(null, bytes, this.#key, signature);
  }
}

function withHead(head: Buffer, key: Buffer): Buffer {
  if (key.length !== KEY_BYTES) throw new RangeError(`An Ed25519 key has ${KEY_BYTES} bytes`);
  return Buffer.concat([head, key]);
}
