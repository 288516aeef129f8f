import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyAnswer, PasskeyOptions } from '@vaultsvc/contracts/sparks';

type Response = PasskeyAnswer['response'];

/** Deviations from a correct answer. */
export interface AuthenticatorOptions {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isUserVerified?: boolean;
  readonly type?: string;
  /** Signs with another key. */
  readonly isForged?: boolean;
}

const [USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL] = [0x01, 0x04, 0x40];

/** For specs: a browser with an authenticator that holds one passkey on P-256 (WebAuthn Level 3, 6). */
export class SoftwareAuthenticator {
  counter = 0;
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #id = randomBytes(16);

  constructor(
    private readonly origin: string,
    /** 0 for an authenticator that does not count. */
    private readonly step = 1,
  ) {}

  /** The answer of `navigator.credentials.create`. */
  create({ options }: PasskeyOptions, deviations: AuthenticatorOptions = {}): Response {
    const client = this.#clientData(options, 'webauthn.create', deviations);
    const length = Buffer.from([0, this.#id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, this.#publicKey()]);
    const rpId = deviations.rpId ?? (options['rp'] as { id: string }).id;
    const authData = Buffer.concat([this.#authenticatorData(rpId, HAS_CREDENTIAL, deviations), credential]);
    const attestation = cborMap([
      [cborText('fmt'), cborText('none')],
      [cborText('attStmt'), cborMap([])],
      [cborText('authData'), cborBytes(authData)],
    ]);
    return this.#answer({ clientDataJSON: encode(client), attestationObject: encode(attestation) });
  }

  /** The answer of `navigator.credentials.get`. */
  get({ options }: PasskeyOptions, deviations: AuthenticatorOptions = {}): Response {
    const client = this.#clientData(options, 'webauthn.get', deviations);
    const authData = this.#authenticatorData(deviations.rpId ?? (options['rpId'] as string), 0, deviations);
    const signed = Buffer.concat([authData, createHash('sha256').update(client).digest()]);
    const { privateKey } = deviations.isForged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : this.#keys;
    const signature = sign('sha256', signed, privateKey);
    const response = { authenticatorData: encode(authData), signature: encode(signature) };
    return this.#answer({ clientDataJSON: encode(client), ...response });
  }

  #answer(response: Record<string, string>): Response {
    const id = encode(this.#id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(options: PasskeyOptions['options'], type: string, deviations: AuthenticatorOptions): Buffer {
    const origin = deviations.origin ?? this.origin;
    const data = {
      type: deviations.type ?? type,
      challenge: options['challenge'],
      origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(data));
  }

  #authenticatorData(rpId: string, more: number, { isUserVerified = true }: AuthenticatorOptions): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE((this.counter += this.step));
    const flags = USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0) | more;
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), counter]);
  }

  /** COSE_Key (RFC 9053, 7.1.1): kty EC2, alg ES256, crv P-256, x, y. */
  #publicKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    return cborMap([
      [cborInt(1), cborInt(2)],
      [cborInt(3), cborInt(-7)],
      [cborInt(-1), cborInt(1)],
      [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ]);
  }
}

const encode = (bytes: Buffer) => bytes.toString('base64url');

/** The head of a CBOR item (RFC 8949, 3): the major type and a number below 65,536. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string) => Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
