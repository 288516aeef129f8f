import { exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, IdOf, JsonObject, OneOf, Text, TextList } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { admissionErrors, Verified } from './link-opening.js';
import { LinkParams } from './link.js';

/** Body of `startPasskey`. */
export class PasskeyRequest {
  @Text({
    max: 128,
    optional: true,
    description: 'From verify/confirm: proves the identity for which a passkey is enrolled.',
  })
  verification_token?: string;
}

/** Options for the browser, with a challenge that is valid once and for five minutes (WebAuthn Level 3, 5.1). */
@Example({
  options: {
    rpId: 'link.example.com',
    challenge: 'zmyDfXbb9Tm5IFK3bwJEbXumUY1-r-qEh4_OtYAUlkQ',
    allowCredentials: [],
    timeout: 300_000,
    userVerification: 'required',
  },
  expires_at: exampleTime(300),
})
export class PasskeyOptions {
  @OneOf(['authentication', 'registration'], {
    description: 'Whether the options are for navigator.credentials.get, or for create.',
  })
  type: 'authentication' | 'registration';
  @JsonObject({
    bytesMax: 8_192,
    description: 'For PublicKeyCredential.parseRequestOptionsFromJSON, or parseCreationOptionsFromJSON.',
  })
  options: Record<string, unknown>;
  @EpochSeconds() expires_at: number;
}

/**
 * Starts the proof of an identity by a passkey, for links of level passkey (NTF-08, OPEN-64). Without a token the options
 * are those of any passkey of this origin, so that a stranger does not learn who is invited and who has a passkey. With the
 * token of a code they enroll the first passkey of the identity, or name the existing one: a code does not replace that.
 */
export const startPasskey = operation({
  name: 'sparks.start-passkey',
  summary: 'Returns options to authenticate with a passkey, or to enroll one after a code.',
  http: { method: 'POST', path: '/{link_code}/passkey/options', surface: 'links', status: 200 },
  access: { credential: 'none' },
  shardBy: 'link_code',
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: PasskeyRequest,
  bodyBytesMax: 4_096,
  reply: PasskeyOptions,
  bare: true,
  errors: [...admissionErrors, 'PASSKEYS_UNAVAILABLE', 'LINK_VERIFICATION_REQUIRED'],
});

/** Body of `findPasskeys`. */
export class PasskeyIdentities {
  @IdOf('acc') account_id: string;
  @TextList({ maxItems: 1_000, max: 254 }) identities: string[];
}

/** Those of the identities that have a passkey. */
export class EnrolledIdentities {
  @TextList({ maxItems: 1_000, max: 254 }) identities: string[];
}

/** Finds who among recipients of an account has enrolled a passkey: they need no code by another channel (OPEN-64). */
export const findPasskeys = operation({
  name: 'sparks.find-passkeys',
  summary: 'Reads which identities have enrolled a passkey for links of the account.',
  access: 'internal',
  callers: ['notify'],
  body: PasskeyIdentities,
  reply: EnrolledIdentities,
  repeatable: true,
});

/** Body of `verifyPasskey`. */
@Example({
  response: {
    id: 'gXj88U06ssxkbEKuYM-1EQ',
    rawId: 'gXj88U06ssxkbEKuYM-1EQ',
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
      attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4',
    },
  },
})
export class PasskeyAnswer {
  @JsonObject({ bytesMax: 16_384, description: 'The toJSON() of the PublicKeyCredential of the browser.' })
  response: Record<string, unknown>;
}

/**
 * Verifies the answer of the browser. An enrollment stores the passkey and counts as a verification. PASSKEY_REFUSED for
 * every answer that does not prove the invited identity, also for a challenge that was used or has expired.
 */
export const verifyPasskey = operation({
  name: 'sparks.verify-passkey',
  summary: 'Verifies a passkey and returns a token that opens the link for ten minutes.',
  http: { method: 'POST', path: '/{link_code}/passkey/verify', surface: 'links', status: 200 },
  access: { credential: 'none' },
  shardBy: 'link_code',
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: PasskeyAnswer,
  bodyBytesMax: 32_768,
  reply: Verified,
  bare: true,
  errors: [...admissionErrors, 'PASSKEYS_UNAVAILABLE', 'PASSKEY_REFUSED'],
});
