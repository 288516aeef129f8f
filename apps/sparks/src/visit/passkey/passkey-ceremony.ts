import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { AppError } from '@vaultsvc/contracts';
import type { PasskeyAnswer, PasskeyOptions } from '@vaultsvc/contracts/sparks';
import { decodeBase64Url } from '@vaultsvc/crypto/encoding';
import { lookupHash } from '@vaultsvc/crypto/tokens';
import type { Passkey } from './passkey.repository.js';
import { RelyingParty } from './relying-party.js';

const CHALLENGE_BYTES = 32;
const TIMEOUT_MS = 5 * 60_000;

/** Options for the browser, and the index of their challenge. */
export interface StartedCeremony {
  readonly options: PasskeyOptions['options'];
  readonly lookup: Buffer;
}

type Response = PasskeyAnswer['response'];

/**
 * The two ceremonies of WebAuthn Level 3 (7.1, 7.2) on the origin of link pages. Passkeys are discoverable, and the user is
 * verified: by a PIN or biometrics of the authenticator. Its model is not asked for.
 */
@Injectable()
export class PasskeyCeremony {
  constructor(private readonly party: RelyingParty) {}

  /** `identity` is shown by the authenticator; `handle`, its user handle, is no personal data (WebAuthn, 14.6.1). */
  async startRegistration(identity: string, handle: Buffer): Promise<StartedCeremony> {
    const challenge = newChallenge();
    const options = await generateRegistrationOptions({
      rpID: this.party.id,
      rpName: this.party.id,
      userName: identity,
      userID: new Uint8Array(handle),
      challenge: new Uint8Array(challenge),
      timeout: TIMEOUT_MS,
      attestationType: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    return { options: { ...options }, lookup: lookupOf(challenge) };
  }

  /** Without a passkey any one of this origin may answer. */
  async startAuthentication(passkey: Passkey | undefined): Promise<StartedCeremony> {
    const challenge = newChallenge();
    const options = await generateAuthenticationOptions({
      rpID: this.party.id,
      challenge: new Uint8Array(challenge),
      timeout: TIMEOUT_MS,
      userVerification: 'required',
      allowCredentials: passkey ? [{ id: passkey.credentialId.toString('base64url') }] : [],
    });
    return { options: { ...options }, lookup: lookupOf(challenge) };
  }

  /** The index of the challenge that an answer claims to sign; PASSKEY_REFUSED without one. */
  challengeOf(response: Response): Buffer {
    const challenge = decodeBase64Url(challengeTextOf(response));
    if (challenge?.length !== CHALLENGE_BYTES) throw new AppError('PASSKEY_REFUSED');
    return lookupOf(challenge);
  }

  /** The new passkey. Throws PASSKEY_REFUSED. */
  async verifyRegistration(response: Response): Promise<Passkey> {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challengeTextOf(response),
      expectedOrigin: this.party.origin,
      expectedRPID: this.party.id,
      requireUserVerification: true,
    }).catch(refuse);
    if (!registrationInfo) throw new AppError('PASSKEY_REFUSED');
    const { id, publicKey, counter } = registrationInfo.credential;
    return { credentialId: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter };
  }

  /** The passkey with the counter of this use. Throws PASSKEY_REFUSED. */
  async verifyAuthentication(response: Response, passkey: Passkey): Promise<Passkey> {
    const { credentialId, publicKey, counter } = passkey;
    const id = credentialId.toString('base64url');
    if (response['id'] !== id) throw new AppError('PASSKEY_REFUSED');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challengeTextOf(response),
      expectedOrigin: this.party.origin,
      expectedRPID: this.party.id,
      credential: { id, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    }).catch(refuse);
    if (!verified) throw new AppError('PASSKEY_REFUSED');
    return { ...passkey, counter: authenticationInfo.newCounter };
  }
}

function newChallenge(): Buffer {
  return randomBytes(CHALLENGE_BYTES);
}

function lookupOf(challenge: Buffer): Buffer {
  return lookupHash('passkey-challenge', challenge);
}

/** The challenge in `clientDataJSON` (WebAuthn Level 3, 5.8.1). Its row was stored by this service, so it is ours if found. */
function challengeTextOf(response: Response): string {
  try {
    const { clientDataJSON } = response['response'] as { clientDataJSON: string };
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as {
      challenge: unknown;
    };
    if (typeof challenge === 'string') return challenge;
  } catch (cause) {
    throw new AppError('PASSKEY_REFUSED', undefined, { cause });
  }
  throw new AppError('PASSKEY_REFUSED');
}

/** The library throws plain errors for every answer that fails a step of the standard. */
function refuse(cause: unknown): never {
  throw new AppError('PASSKEY_REFUSED', undefined, { cause });
}
