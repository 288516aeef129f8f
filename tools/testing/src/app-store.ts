import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { CompactSign } from 'jose';

/** Apple's marks on a signer of transactions, and on the authority that issues it. */
const SIGNS_RECEIPTS = '1.2.840.113635.100.6.11.1';
const ISSUES_SIGNERS = '1.2.840.113635.100.6.2.1';
const NULL = new Uint8Array([5, 0]);
const DAY_MS = 86_400_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** What a chain of certificates deviates in from a right one. */
export interface ChainFaults {
  readonly isLeafUnmarked?: boolean;
  readonly isIntermediateUnmarked?: boolean;
  /** The leaf was valid until yesterday. */
  readonly isLeafExpired?: boolean;
}

/** A signed transaction's payload; times are epoch milliseconds. */
export type Transaction = Readonly<Record<string, unknown>>;

/** An App Store with its own root certificate. */
export interface AppStore {
  /** For APPLE_ROOT_CERTIFICATES. */
  readonly root: string;
  /** A StoreKit 2 transaction; `changes` override its payload. */
  sign(changes?: Transaction, chain?: readonly string[]): Promise<string>;
  /** Another chain below the same root, and a transaction signed with it. */
  signWith(faults: ChainFaults, changes?: Transaction): Promise<string>;
}

interface Issued {
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

x509.cryptoProvider.set(webcrypto as never);

export async function startAppStore(defaults: Transaction): Promise<AppStore> {
  const root = await issue('Root', undefined, { isAuthority: true });
  const right = await chainBelow(root, {});
  const signed = async (chain: readonly string[], keys: webcrypto.CryptoKeyPair, changes: Transaction) => {
    const payload = { ...defaults, signedDate: Date.now(), ...changes };
    return new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'ES256', x5c: [...chain] })
      .sign(keys.privateKey as never);
  };
  return {
    root: root.certificate.toString('base64'),
    sign: (changes = {}, chain = right.chain) => signed(chain, right.keys, changes),
    signWith: async (faults, changes = {}) => {
      const other = await chainBelow(root, faults);
      return signed(other.chain, other.keys, changes);
    },
  };
}

async function chainBelow(
  root: Issued,
  { isLeafUnmarked, isIntermediateUnmarked, isLeafExpired }: ChainFaults,
) {
  const mark = isIntermediateUnmarked ? undefined : ISSUES_SIGNERS;
  const intermediate = await issue('Intermediate', root, { isAuthority: true, mark });
  const leafMark = isLeafUnmarked ? undefined : SIGNS_RECEIPTS;
  const untilMs = isLeafExpired ? Date.now() - DAY_MS : Date.now() + 30 * DAY_MS;
  const leaf = await issue('Leaf', intermediate, { mark: leafMark, untilMs });
  const chain = [leaf, intermediate, root].map(({ certificate }) => certificate.toString('base64'));
  return { chain, keys: leaf.keys };
}

interface CertificateOptions {
  readonly isAuthority?: boolean;
  readonly mark?: string | undefined;
  readonly untilMs?: number;
}

async function issue(
  name: string,
  issuer: Issued | undefined,
  { isAuthority = false, mark, untilMs = Date.now() + 365 * DAY_MS }: CertificateOptions,
): Promise<Issued> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: issuer?.certificate.subject ?? `CN=${name}`,
    notBefore: new Date(Date.now() - 30 * DAY_MS),
    notAfter: new Date(untilMs),
    publicKey: keys.publicKey as never,
    signingKey: (issuer ?? { keys }).keys.privateKey as never,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(isAuthority, undefined, true),
      ...(mark === undefined ? [] : [new x509.Extension(mark, false, NULL)]),
    ],
  });
  return { certificate, keys };
}
