import { createPrivateKey, type KeyObject } from 'node:crypto';
import { isProtectedUrl, Secret, type Parser } from '@vaultsvc/config';

/** A service account of Google that may send messages of one Firebase project. */
export interface FcmAccount {
  readonly projectId: string;
  readonly clientEmail: string;
  readonly key: KeyObject;
  readonly keyId: string | undefined;
  /** Exchanges a signed assertion for an access token (RFC 7523). */
  readonly tokenUrl: URL;
}

/** Parses the setting FCM_CREDENTIALS, the JSON of a service account as Google issues it. */
export const fcmCredentials: Parser<Secret> = (text) => {
  parseFcmCredentials(text);
  return new Secret(text);
};

/** @throws an error whose message never contains the value */
export function parseFcmCredentials(text: string): FcmAccount {
  const { project_id, client_email, private_key, private_key_id, token_uri } = objectIn(text);
  const isNamed = typeof project_id === 'string' && /^[a-z0-9:.-]{1,64}$/.test(project_id);
  if (!isNamed || typeof client_email !== 'string' || client_email === '')
    throw new Error('must have project_id and client_email');
  if (typeof token_uri !== 'string' || !URL.canParse(token_uri) || !isProtectedUrl(new URL(token_uri)))
    throw new Error('must have a token_uri that begins with https://');
  return {
    projectId: project_id,
    clientEmail: client_email,
    key: rsaKey(private_key),
    keyId: typeof private_key_id === 'string' ? private_key_id : undefined,
    tokenUrl: new URL(token_uri),
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // The error of the parser would quote the value.
  }
  throw new Error('must be the JSON of a service account');
}

function rsaKey(pem: unknown): KeyObject {
  try {
    const key = createPrivateKey(String(pem));
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // The error of OpenSSL does not help, and may quote the value.
  }
  throw new Error('must have a private_key: an RSA key in PEM');
}
