import { toASCII } from 'tr46';

/** In every script: UTS 46 maps them to the dot of ASCII. */
const ROOT_DOT = /[.\u3002\uff0e\uff61]$/;
// RFC 1123, 2.1: no hyphen at either end of a label. In its middle there may be two at the place of the IDNA prefix.
const HYPHEN_AT_AN_END = /(?:^|\.)-|-(?:\.|$)/;
/** A numeric last label makes an IPv4 address, in any notation (WHATWG URL, "ends in a number"). */
const NUMERIC_END = /\.(?:\d+|0x[\da-f]*)$/;

/**
 * The rules of names in DNS: letters, digits and hyphens (RFC 1123, 2.1), 253 octets in labels of 63 (RFC 1035, 2.3.4), and
 * where two domains could look the same on a screen, one direction in each label (RFC 5893).
 */
const rules = {
  useSTD3ASCIIRules: true,
  verifyDNSLength: true,
  checkBidi: true,
  checkJoiners: true,
  transitionalProcessing: false,
};

/**
 * The canonical spelling of a host name: lower case, IDNA in ASCII (UTS 46, as in browsers), without the dot of the root.
 * Undefined for anything that is not a host name of at least two labels. Versions of Node differ in which names their
 * `domainToASCII` refuses, so it is not used.
 */
export function hostNameOf(text: string): string | undefined {
  const name = toASCII(text.replace(ROOT_DOT, ''), rules);
  if (name === null || !name.includes('.')) return undefined;
  return HYPHEN_AT_AN_END.test(name) || NUMERIC_END.test(name) ? undefined : name;
}
