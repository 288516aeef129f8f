const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BASE64_URL = /^[A-Za-z0-9_-]*$/;

/**
 * Decodes padded base64 (RFC 4648, section 4). Undefined for any text other than the canonical encoding of some bytes
 * (section 3.5): other characters, missing padding, non-zero pad bits. `Buffer.from` skips invalid characters and never
 * fails, so the result is encoded again and compared.
 */
export function decodeBase64(text: string): Buffer | undefined {
  return BASE64.test(text) ? decodeExactly(text, 'base64') : undefined;
}

/** Decodes base64url without padding (RFC 4648, section 5), as strictly as `decodeBase64`. */
export function decodeBase64Url(text: string): Buffer | undefined {
  return BASE64_URL.test(text) ? decodeExactly(text, 'base64url') : undefined;
}

function decodeExactly(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}
