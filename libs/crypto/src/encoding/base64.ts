const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const BASE64_URL = /^[A-Za-z0-9_-]*$/;

/**
 * Decodes padded base64 (RFC 4648 section 4), or undefined for anything that its encoder would not have written.
 * `Buffer.from(text, 'base64')` never fails, it skips what it does not know; hence the comparison with the re-encoding.
 */
export function decodeBase64(text: string): Buffer | undefined {
  return BASE64.test(text) ? decodeExactly(text, 'base64') : undefined;
}

/** Decodes unpadded base64url (RFC 4648 section 5), as strictly as `decodeBase64`. */
export function decodeBase64Url(text: string): Buffer | undefined {
  return BASE64_URL.test(text) ? decodeExactly(text, 'base64url') : undefined;
}

function decodeExactly(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding);
  return bytes.toString(encoding) === text ? bytes : undefined;
}
