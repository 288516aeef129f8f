import { Ed25519Signer } from '@vaultsvc/crypto/signature';
import { VerifierKey } from './verifier-key.js';

/** Signs notes with Ed25519 under a name (C2SP signed-note). */
export class NoteSigner {
  /** The public key, in the form that verifiers configure. */
  readonly key: VerifierKey;
  readonly #signer: Ed25519Signer;

  /** @param privateKey 32 bytes, which sign notes and nothing else. @throws InvalidNote, RangeError as VerifierKey does */
  constructor(name: string, privateKey: Buffer) {
    this.#signer = new Ed25519Signer(privateKey);
    this.key = new VerifierKey(name, this.#signer.publicKey);
  }

  /** The signature line of a text, without its newline: em dash, name, base64 of key id and signature. */
  signatureLine(text: string): string {
    const signature = this.#signer.sign(Buffer.from(text));
    const bytes = Buffer.concat([Buffer.from(this.key.id, 'hex'), signature]);
    return `— ${this.key.name} ${bytes.toString('base64')}`;
  }
}
