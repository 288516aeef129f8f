import { crc32 as zlibCrc32 } from 'node:zlib';

/** CRC-32 (IEEE 802.3, as in zip and PNG) as 4 big-endian bytes. Finds typing errors; it protects nothing. */
export function crc32(text: string): Buffer {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(zlibCrc32(text));
  return checksum;
}
