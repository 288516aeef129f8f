import { createPublicKey } from 'node:crypto';
import type { RunningService } from '@vaultsvc/service';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { SigningKeys } from '../../../../apps/auth/src/signing-keys/signing-keys.js';
import { AccessTokens } from '../../../../apps/auth/src/tokens/access-tokens.js';
import type { TestSession } from './accounts.js';

/** Why a token must be refused, and the token. */
export type ForgedTokens = Readonly<Record<ForgeryName, string>>;

export const forgeryNames = [
  'algorithm none',
  'HS256 keyed with the public key in base64url',
  'HS256 keyed with the public key in PEM',
  'signed by another key under our kid',
  'signed by the key in its own header',
  'a kid that is a path',
  'a kid that nobody has',
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
] as const;
export type ForgeryName = (typeof forgeryNames)[number];

/**
 * One token per attack of RFC 8725 (section 3), each as close to the good one as it can be: the claims are of a live
 * session, and where only a claim is wrong auth's own key has signed it.
 */
export async function forgeTokens(auth: RunningService, { token, subject, accountId }: TestSession): Promise<ForgedTokens> {
  const { header, claims, parts } = read(token);
  const { signed, attacker } = await signers(auth, header);
  const pem = createPublicKey({ key: { ...attacker.ours }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const now = claims.iat as number;
  return {
    'algorithm none': `${encode({ ...header, alg: 'none' })}.${parts[1]}.`,
    'HS256 keyed with the public key in base64url': await hmac(header, claims, Buffer.from(attacker.ours.x, 'base64url')),
    'HS256 keyed with the public key in PEM': await hmac(header, claims, Buffer.from(pem)),
    'signed by another key under our kid': await attacker.sign(header, claims),
    'signed by the key in its own header': await attacker.sign({ ...header, kid: 'own', jwk: attacker.jwk }, claims),
    'a kid that is a path': await attacker.sign({ ...header, kid: '../../../../dev/null' }, claims),
    'a kid that nobody has': await attacker.sign({ ...header, kid: 'nobody' }, claims),
    'no kid': await attacker.sign({ alg: 'EdDSA', typ: header.typ }, claims),
    'one character of the payload changed': [parts[0], flip(parts[1], 20), parts[2]].join('.'),
    'one character of the signature changed': [parts[0], parts[1], flip(parts[2], 20)].join('.'),
    'signature cut off': `${parts[0]}.${parts[1]}.`,
    'audience of viewer tokens': await signed('at+jwt', { ...claims, aud: 'viewer' }),
    'another issuer': await signed('at+jwt', { ...claims, iss: 'https://issuer.example' }),
    'type JWT': await signed('JWT', claims),
    'no type': await signed(undefined, claims),
    'an unknown critical header': await attacker.sign({ ...header, crit: ['exp'] }, claims),
    'expired a minute ago': await signed('at+jwt', { ...claims, iat: now - 3_660, exp: now - 60 }),
    'no expiry': await signed('at+jwt', { ...claims, exp: undefined }),
    'no session': await signed('at+jwt', { ...claims, sid: undefined }),
    'no subject': await signed('at+jwt', { ...claims, sub: undefined }),
    'a viewer token': await auth.context.get(AccessTokens).signViewerToken({ accountId: accountId ?? 'acc_none', subject }),
  };
}

interface Header {
  readonly alg: string;
  readonly typ?: string;
  readonly kid?: string;
  readonly [name: string]: unknown;
}

async function signers(auth: RunningService, { kid }: Header) {
  const keys = auth.context.get(SigningKeys);
  const ours = (await keys.jwks()).keys.find((key) => key.kid === kid);
  if (!ours) throw new Error('the token was not signed by this auth');
  const pair = await generateKeyPair('EdDSA', { extractable: true });
  const sign = (header: Header, claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader(header).sign(pair.privateKey, { crit: { exp: false } });
  const signed = (typ: string | undefined, claims: JWTPayload) => keys.sign(typ, claims);
  return { signed, attacker: { ours, jwk: await exportJWK(pair.publicKey), sign } };
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
