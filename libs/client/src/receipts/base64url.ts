/** The bytes of a text in base64url without padding (RFC 4648, section 5); undefined for any other text. */
export function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The JSON object of such a text; undefined for any other text. */
export function jsonOfBase64url(text: string): Record<string, unknown> | undefined {
  const bytes = bytesOfBase64url(text);
  if (!bytes) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
