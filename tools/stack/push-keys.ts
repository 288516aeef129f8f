import { generateKeyPairSync } from 'node:crypto';

/** The first byte of an uncompressed point. */
const UNCOMPRESSED = Buffer.from([4]);

/** Keys in the forms that FCM, APNs and browsers use, for the local inbox, which verifies none of their signatures. */
export function makePushKeys() {
  const encoding = { type: 'pkcs8' as const, format: 'pem' as const };
  const fcm = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const apns = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return {
    fcm_private_key: fcm.privateKey.export(encoding).toString(),
    apns_key: apns.privateKey.export(encoding).toString(),
    ...makeVapidKeys(),
  };
}

/** A key pair of VAPID (RFC 8292) in base64url. Without `web-push`, because npm packages may not be installed yet. */
function makeVapidKeys() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { x = '', y = '', d = '' } = privateKey.export({ format: 'jwk' });
  const point = Buffer.concat([UNCOMPRESSED, Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return { vapid_public_key: point.toString('base64url'), vapid_private_key: d };
}
