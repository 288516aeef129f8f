import { createPublicKey } from 'node:crypto';
import { openContent } from '@vaultsvc/crypto/aead';
import { DataKeys } from '@vaultsvc/crypto/data-keys';
import type { RunningService } from '@vaultsvc/service';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { importPrivateKey } from '../../../apps/auth/src/signing-keys/ed25519.js';
import { ReceiptKeyRepository } from '../../../apps/auth/src/signing-keys/receipt-key.repository.js';
import { ReceiptKeys } from '../../../apps/auth/src/signing-keys/receipt-keys.js';
import { SigningKeyRepository } from '../../../apps/auth/src/signing-keys/signing-key.repository.js';
import { AccessTokens } from '../../../apps/auth/src/tokens/access-tokens.js';
import type { TestSession } from './accounts.js';

/** Forged tokens by the reason for which auth must refuse them. */
export type ForgedTokens = Readonly<Record<ForgeryName, string>>;

export const forgeryNames = [
  'algorithm none',
  'HS256 keyed with the public key in base64url',
  'HS256 keyed with the public key in PEM',
  'signed by another key under our kid',
  'signed by the key in its own header',
  'a kid that is a path',
  'an unknown kid',
  'no kid',
  'one character of the payload changed',
  'one character of the signature changed',
  'signature cut off',
  'audience of viewer tokens',
  'another issuer',
  'type JWT',
  'no type',
  'an unknown critical header',
  'expired a minute ago',
  'no expiry',
  'no session',
  'no subject',
  'a viewer token',
  'a receipt with these claims',
  'signed by a key of receipts',
] as const;
export type ForgeryName = (typeof forgeryNames)[number];

/**
 * One token per attack of RFC 8725, section 3. Each differs from a valid token only in the attack: its claims are those of a
 * live session, and auth's key signs it unless the attack is about the key.
 */
export async function forgeTokens(
  auth: RunningService,
  { token, subject, accountId }: TestSession,
): Promise<ForgedTokens> {
  const { header, claims, parts } = read(token);
  const { alg, typ, kid } = header;
  const ours = await authSigner(auth, 'signing', kid);
  const ofReceipts = await authSigner(auth, 'receipt');
  const attacker = await untrustedSigner();
  const now = claims.iat as number;
  return {
    'algorithm none': `${encode({ ...header, alg: 'none' })}.${parts[1]}.`,
    'HS256 keyed with the public key in base64url': await hmac(
      header,
      claims,
      Buffer.from(ours.publicKey, 'base64url'),
    ),
    'HS256 keyed with the public key in PEM': await hmac(header, claims, Buffer.from(ours.pem)),
    'signed by another key under our kid': await attacker.sign(header, claims),
    'signed by the key in its own header': await attacker.sign(
      { ...header, kid: 'own', jwk: attacker.jwk },
      claims,
    ),
    'a kid that is a path': await ours.sign({ ...header, kid: '../../../../dev/null' }, claims),
    'an unknown kid': await ours.sign({ ...header, kid: 'nobody' }, claims),
    'no kid': await ours.sign({ alg, typ }, claims),
    'one character of the payload changed': [parts[0], flip(parts[1], 20), parts[2]].join('.'),
    'one character of the signature changed': [parts[0], parts[1], flip(parts[2], 20)].join('.'),
    'signature cut off': `${parts[0]}.${parts[1]}.`,
    'audience of viewer tokens': await ours.sign(header, { ...claims, aud: 'viewer' }),
    'another issuer': await ours.sign(header, { ...claims, iss: 'https://issuer.example' }),
    'type JWT': await ours.sign({ ...header, typ: 'JWT' }, claims),
    'no type': await ours.sign({ alg, kid }, claims),
    'an unknown critical header': await ours.sign({ ...header, urgent: true, crit: ['urgent'] }, claims),
    'expired a minute ago': await ours.sign(header, { ...claims, iat: now - 3_660, exp: now - 60 }),
    'no expiry': await ours.sign(header, { ...claims, exp: undefined }),
    'no session': await ours.sign(header, { ...claims, sid: undefined }),
    'no subject': await ours.sign(header, { ...claims, sub: undefined }),
    'a viewer token': await auth.context
      .get(AccessTokens)
      .signViewerToken({ accountId: accountId ?? 'acc_none', subject }),
    'a receipt with these claims': await auth.context.get(ReceiptKeys).signReceipt(claims),
    'signed by a key of receipts': await ofReceipts.sign({ ...header, kid: ofReceipts.kid }, claims),
  };
}

interface Header {
  readonly alg: string;
  readonly typ?: string;
  readonly kid?: string;
  readonly [name: string]: unknown;
}

const repositories = { signing: SigningKeyRepository, receipt: ReceiptKeyRepository };

/** Signs any header and claims with a key of auth: the one with this kid, or else the newest. */
async function authSigner(auth: RunningService, purpose: 'signing' | 'receipt', kid?: string) {
  const { keys } = await auth.context.get(repositories[purpose]).read();
  const row = kid === undefined ? keys.at(-1) : keys.find((key) => key.kid === kid);
  const { sealed, data_key_id: dataKeyId } = row ?? {};
  if (!row || !sealed || !dataKeyId) throw new Error('this instance of auth did not sign the token');
  const privateKey = await auth.context
    .get(DataKeys)
    .byId(purpose, dataKeyId, (key) =>
      importPrivateKey(openContent(key, `vk/v1/sealed/${purpose}`, [row.kid], sealed)),
    );
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: row.public_key };
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  return { kid: row.kid, publicKey: row.public_key, pem, sign: signerWith(privateKey) };
}

/** A key that auth does not trust. */
async function untrustedSigner() {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  return { jwk: await exportJWK(publicKey), sign: signerWith(privateKey) };
}

function signerWith(key: CryptoKey) {
  return (header: Header, claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader(header).sign(key, { crit: { urgent: true } });
}

function hmac(header: Header, claims: JWTPayload, secret: Uint8Array): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret);
}

function read(token: string): { header: Header; claims: JWTPayload; parts: [string, string, string] } {
  const parts = token.split('.') as [string, string, string];
  const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header: decode(parts[0]) as Header, claims: decode(parts[1]) as JWTPayload, parts };
}

function encode(header: Header): string {
  return Buffer.from(JSON.stringify(header)).toString('base64url');
}

function flip(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === 'A' ? 'B' : 'A') + text.slice(index + 1);
}
