/** All encodings in which bytes may be stored: raw, hex, and within longer base64 of both alphabets. */
export function formsOf(secret: Buffer): string[] {
  const hex = secret.toString('hex');
  const base64 = [0, 1, 2].map((before) => withinBase64(secret, before));
  const base64url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([secret.toString('latin1'), hex, hex.toUpperCase(), ...base64, ...base64url])];
}

/** The base64 digits of these bytes within a longer text, after so many other bytes (modulo 3). */
function withinBase64(secret: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), secret])
    .toString('base64')
    .replace(/=+$/, '');
  const bits = (before + secret.length) * 8;
  // Digits that share bits with the surrounding bytes are excluded.
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
}
