import { createPrivateKey, type KeyObject } from 'node:crypto';
import { Secret, type Parser, type Rule } from '@vaultsvc/config';

/** Parses the setting APNS_KEY: the p8 file of Apple, a PKCS #8 key of P-256 in PEM. Line breaks may be written as `\n`. */
export const apnsKey: Parser<Secret> = (text) => {
  parseApnsKey(text);
  return new Secret(text);
};

/** @throws an error whose message never contains the value */
export function parseApnsKey(text: string): KeyObject {
  try {
    const key = createPrivateKey(text.replaceAll('\\n', '\n'));
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // The error of OpenSSL does not help, and may quote the value.
  }
  throw new Error('must be the content of a p8 file, a P-256 key in PEM');
}

/** Validates APNS_KEY_ID and APNS_TEAM_ID, which have ten characters. */
export const appleId: Parser<string> = (text) => {
  if (/^[A-Z0-9]{10}$/.test(text)) return text;
  throw new Error('must be ten capital letters and digits');
};

/** Validates APNS_TOPIC, the bundle id of the app. */
export const apnsTopic: Parser<string> = (text) => {
  if (/^[A-Za-z0-9.-]{1,155}$/.test(text)) return text;
  throw new Error('must be a bundle id such as com.example.app');
};

/** The four settings of APNs are of use only together. */
export const completeApns: Rule<Secret> = (key, { APNS_KEY_ID, APNS_TEAM_ID, APNS_TOPIC }) => {
  const given = [key.reveal(), APNS_KEY_ID, APNS_TEAM_ID, APNS_TOPIC].filter((value) => value !== '');
  return given.length === 0 || given.length === 4
    ? undefined
    : 'is set together with APNS_KEY_ID, APNS_TEAM_ID and APNS_TOPIC or not at all';
};
