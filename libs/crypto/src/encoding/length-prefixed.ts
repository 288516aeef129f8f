const LENGTH_BYTES = 4;

/**
 * The canonical encoding of a list of fields: each as its bytes (strings as UTF-8) behind a 4-byte big-endian length.
 *
 * No two lists share an encoding, which a separator could not promise. Used as HKDF info, as AAD and under every MAC;
 * the first field is always a label. Throws TypeError for a lone surrogate: UTF-8 cannot carry it, so two different
 * strings would become one.
 */
export function lp(...fields: readonly (string | Buffer)[]): Buffer {
  const parts = fields.map(bytesOf);
  const encoded = Buffer.alloc(parts.reduce((bytes, part) => bytes + LENGTH_BYTES + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    offset = encoded.writeUInt32BE(part.length, offset);
    offset += part.copy(encoded, offset);
  }
  return encoded;
}

function bytesOf(field: string | Buffer): Buffer {
  if (typeof field !== 'string') return field;
  if (/\p{Surrogate}/u.test(field)) throw new TypeError('A field holds a lone surrogate');
  return Buffer.from(field, 'utf8');
}
