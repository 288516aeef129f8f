/** Bytes of a UUID, of which 122 bits are random. */
export const UUID_BYTES = 16;

const VERSION_BYTE = 6;
const VARIANT_BYTE = 8;

/** Writes 16 random bytes as a UUID of version 4 (RFC 9562, 5.4). Version and variant replace six of their bits. */
export function writeUuid(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(VERSION_BYTE) & 0x0f) | 0x40, VERSION_BYTE);
  bytes.writeUInt8((bytes.readUInt8(VARIANT_BYTE) & 0x3f) | 0x80, VARIANT_BYTE);
  const hex = bytes.toString('hex');
  const [a, b, c, d, e] = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ];
  return `${a}-${b}-${c}-${d}-${e}`;
}
