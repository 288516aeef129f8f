import { Secret, type Parser } from '@vaultsvc/config';

/** An uncompressed point of P-256 (RFC 8292, 3.2). */
const PUBLIC_BYTES = 65;
const PRIVATE_BYTES = 32;

/** Validates VAPID_PUBLIC_KEY and returns it unchanged. */
export const vapidPublicKey: Parser<string> = (text) => {
  const bytes = bytesOf(text);
  if (bytes?.length === PUBLIC_BYTES && bytes[0] === 4) return text;
  throw new Error('must be a public key of P-256, 65 bytes in base64url (npx web-push generate-vapid-keys)');
};

/** Parses VAPID_PRIVATE_KEY. */
export const vapidPrivateKey: Parser<Secret> = (text) => {
  if (bytesOf(text)?.length === PRIVATE_BYTES) return new Secret(text);
  throw new Error('must be a private key of P-256, 32 bytes in base64url (npx web-push generate-vapid-keys)');
};

/** Validates VAPID_SUBJECT, by which a push service contacts the operator (RFC 8292, 2.1). */
export const vapidSubject: Parser<string> = (text) => {
  if (/^mailto:[^\s@]+@[^\s@]+$/.test(text) || /^https:\/\/[^\s/]+/.test(text)) return text;
  throw new Error('must be mailto:admin@example.com or an https URL');
};

function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
