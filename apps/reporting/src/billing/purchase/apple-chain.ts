import { X509Certificate, type KeyObject } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';

/** Marks the certificates that sign for the App Store, and the authority that issues them (Apple Root CA G3, WWDR). */
const SIGNS_RECEIPTS = '1.2.840.113635.100.6.11.1';
const ISSUES_SIGNERS = '1.2.840.113635.100.6.2.1';

/**
 * The public key of a chain of leaf, intermediate and root, whose root is one of the configured ones. The same authority issues
 * certificates to developers, so the leaf must be marked as one of the App Store. Undefined for any other chain.
 * @param chain certificates in base64, as in the header `x5c` (RFC 7515, 4.1.6)
 * @param at the moment at which all must be valid
 */
export function keyOfAppleChain(
  chain: readonly string[],
  roots: readonly X509Certificate[],
  at: Date,
): KeyObject | undefined {
  const [leaf, intermediate, root, ...rest] = chain.map(readCertificate);
  if (!leaf || !intermediate || !root || rest.length > 0) return undefined;
  const isTrusted = roots.some(({ raw }) => raw.equals(root.raw));
  const isIssued = isIssuedBy(leaf, intermediate) && isIssuedBy(intermediate, root);
  const isMarked = hasExtension(leaf, SIGNS_RECEIPTS) && hasExtension(intermediate, ISSUES_SIGNERS);
  const isValid = [leaf, intermediate, root].every((certificate) => isValidAt(certificate, at));
  return isTrusted && isIssued && isMarked && isValid && intermediate.ca ? leaf.publicKey : undefined;
}

function readCertificate(base64: string): X509Certificate | undefined {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    return undefined; // not a certificate: the chain is refused
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function hasExtension({ raw }: X509Certificate, oid: string): boolean {
  const { extensions = [] } = AsnConvert.parse(raw, Certificate).tbsCertificate;
  return extensions.some(({ extnID }) => extnID === oid);
}

function isValidAt({ validFrom, validTo }: X509Certificate, at: Date): boolean {
  return new Date(validFrom) <= at && at <= new Date(validTo);
}
