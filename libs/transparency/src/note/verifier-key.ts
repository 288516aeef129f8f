import { decodeBase64 } from '@vaultsvc/crypto/encoding';
import { sha256 } from '@vaultsvc/crypto/hash';
import { Ed25519Verifier } from '@vaultsvc/crypto/signature';
import { InvalidNote } from './errors.js';

/** The signature type of Ed25519 (C2SP signed-note, "Signature types"). */
const ED25519 = 0x01;

const ID_BYTES = 4;

/** Neither Unicode spaces, which include U+0085 here, nor plus (C2SP signed-note, "Format"). */
const NAME = /^[^\s\u0085+]+$/u;

/** A public key that verifies signed notes, as in `example.com/log+1b2c3d4e+AQ…` (C2SP signed-note). */
export class VerifierKey {
  /** 8 hexadecimal digits of the key's hash. It tells keys of one name apart and proves nothing. */
  readonly id: string;
  readonly #verifier: Ed25519Verifier;

  /**
   * @param name names the signer, as a URL without its scheme; usually the origin of the log
   * @param publicKey 32 bytes
   * @throws InvalidNote for a name that is empty or has a space or a plus; RangeError for another length of the key
   */
  constructor(
    readonly name: string,
    readonly publicKey: Buffer,
  ) {
    if (!isKeyName(name)) throw new InvalidNote('The name of a key has neither spaces nor plus signs');
    this.#verifier = new Ed25519Verifier(publicKey);
    this.id = sha256(Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicKey]))
      .subarray(0, ID_BYTES)
      .toString('hex');
  }

  /** Reads the text form, `name+id+base64(0x01 || public key)`. @throws InvalidNote for any other text */
  static parse(text: string): VerifierKey {
    const [name = '', id = '', ...rest] = text.split('+');
    const key = decodeBase64(rest.join('+')); // base64 may contain a plus
    if (key?.length !== 33 || key[0] !== ED25519)
      throw new InvalidNote('A key is name+id+base64 with an Ed25519 key');
    const parsed = new VerifierKey(name, key.subarray(1));
    if (parsed.id !== id) throw new InvalidNote(`The key ${name}+${id} does not have this id`);
    return parsed;
  }

  /** Whether the 64 bytes are this key's signature of the text. */
  verify(text: string, signature: Uint8Array): boolean {
    return this.#verifier.verify(Buffer.from(text), signature);
  }

  /** The text form, which `parse` reads. */
  toString(): string {
    const key = Buffer.concat([Buffer.of(ED25519), this.publicKey]).toString('base64');
    return `${this.name}+${this.id}+${key}`;
  }
}

/** Whether a signature line may have this name. */
export function isKeyName(name: string): boolean {
  return NAME.test(name) && name.isWellFormed();
}
