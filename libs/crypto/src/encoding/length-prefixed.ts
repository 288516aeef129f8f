const LENGTH_BYTES = 4;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The canonical encoding of a list of fields: each as its bytes (strings as UTF-8) behind a 4-byte big-endian length.
 *
 * No two lists share an encoding, which a separator could not promise. Used as HKDF info, as AAD and under every MAC;
 * the first field is always a label. Throws TypeError for a lone surrogate: UTF-8 cannot carry it, so two different
 * strings would become one.
 */
export function lp(...fields: readonly (string | Buffer)[]): Buffer {
  const encoded = Buffer.alloc(
    fields.reduce((bytes, field) => bytes + LENGTH_BYTES + Buffer.byteLength(field), 0),
  );
  let offset = 0;
  for (const field of fields) {
    const bytes = put(encoded, offset + LENGTH_BYTES, field);
    encoded.writeUInt32BE(bytes, offset);
    offset += LENGTH_BYTES + bytes;
  }
  return encoded;
}

// Written in place: one buffer per field would double the cost, and this stands under every seal.
function put(encoded: Buffer, offset: number, field: string | Buffer): number {
  if (typeof field !== 'string') return field.copy(encoded, offset);
  if (LONE_SURROGATE.test(field)) throw new TypeError('A field holds a lone surrogate');
  return encoded.write(field, offset, 'utf8');
}
