const LENGTH_BYTES = 4;

/**
 * The canonical encoding of a list of fields: for each field a 4-byte big-endian length, then its bytes (strings as UTF-8).
 *
 * The encoding is injective: two lists never have the same encoding, which a separator could not guarantee. It is the info
 * of HKDF, the AAD of GCM and the message of every MAC; the first field is always a label.
 * @throws TypeError for a lone surrogate, which has no UTF-8, so that different strings would become equal
 */
export function lengthPrefixed(...fields: readonly (string | Buffer)[]): Buffer {
  const encoded = Buffer.allocUnsafe(fields.reduce((bytes, field) => bytes + lengthPrefixedBytes(field), 0));
  let offset = 0;
  for (const field of fields) {
    const bytes = write(encoded, offset + LENGTH_BYTES, field);
    encoded.writeUInt32BE(bytes, offset);
    offset += LENGTH_BYTES + bytes;
  }
  return encoded;
}

/** The bytes of a field in the encoding. */
export function lengthPrefixedBytes(field: string | Buffer): number {
  return LENGTH_BYTES + Buffer.byteLength(field);
}

// Written in place: a buffer per field would double the cost of a function that every seal calls.
function write(encoded: Buffer, offset: number, field: string | Buffer): number {
  if (typeof field !== 'string') return field.copy(encoded, offset);
  if (!field.isWellFormed()) throw new TypeError('A field contains a lone surrogate');
  return encoded.write(field, offset, 'utf8');
}
