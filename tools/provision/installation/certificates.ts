import { webcrypto } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// The library below needs it.
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

const YEAR_MS = 365 * 86_400_000;
const AUTHORITY_YEARS = 10;
const SERVER_YEARS = 2;
/** Clocks differ. */
const BEFORE_MS = 3_600_000;
const P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A private authority, which the services of one installation trust. */
export interface Authority {
  /** PEM. */
  readonly certificate: string;
  /** @returns a new key and a certificate for the names, both PEM */
  issue(names: readonly string[]): Promise<{ key: string; certificate: string }>;
}

/** Reads the authority of a folder, or makes one. Its key stays there: no server and no service gets it. */
export async function openAuthority(folder: string): Promise<Authority> {
  const [keyPath, certificatePath] = [join(folder, 'ca.key'), join(folder, 'ca.crt')];
  if (!existsSync(keyPath)) {
    const { key, certificate } = await newAuthority();
    writeFileSync(certificatePath, certificate, { mode: 0o644 });
    writeFileSync(keyPath, key, { mode: 0o600 });
  }
  const key = await importKey(readFileSync(keyPath, 'utf8'));
  const issuer = new x509.X509Certificate(readFileSync(certificatePath, 'utf8'));
  return { certificate: issuer.toString('pem'), issue: (names) => issue(names, issuer, key) };
}

async function newAuthority() {
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: newSerial(),
      name: 'CN=vaultsvc installation',
      ...validFor(AUTHORITY_YEARS),
      signingAlgorithm: P256,
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    },
    webcrypto,
  );
  return { key: await exportKey(keys.privateKey), certificate: certificate.toString('pem') };
}

async function issue(
  names: readonly string[],
  issuer: x509.X509Certificate,
  signingKey: webcrypto.CryptoKey,
) {
  const keys = await webcrypto.subtle.generateKey(P256, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create(
    {
      serialNumber: newSerial(),
      subject: `CN=${names[0]}`,
      issuer: issuer.subject,
      ...validFor(SERVER_YEARS),
      signingAlgorithm: P256,
      publicKey: keys.publicKey,
      signingKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((value) => ({ type: /^[\d.]+$/.test(value) ? 'ip' : 'dns', value }) as const),
        ),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ],
    },
    webcrypto,
  );
  return { key: await exportKey(keys.privateKey), certificate: certificate.toString('pem') };
}

/** Positive and of 120 bits (RFC 5280, 4.1.2.2). */
function newSerial(): string {
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(14))).toString('hex')}`;
}

function validFor(years: number) {
  const now = Date.now();
  return { notBefore: new Date(now - BEFORE_MS), notAfter: new Date(now + years * YEAR_MS) };
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key);
  return x509.PemConverter.encode(der, 'PRIVATE KEY');
}

function importKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [der] = x509.PemConverter.decode(pem);
  return webcrypto.subtle.importKey('pkcs8', der ?? new ArrayBuffer(0), P256, false, ['sign']);
}
