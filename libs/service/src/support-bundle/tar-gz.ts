import { gzipSync } from 'node:zlib';

const BLOCK = 512;
const NAME_BYTES_MAX = 100;

/**
 * Packs texts as a gzipped tar archive in the ustar format (POSIX.1-1988), with file mode 0600.
 * @throws RangeError for a name of more than 100 bytes
 */
export function tarGz(files: Readonly<Record<string, string>>, modifiedAt = new Date()): Buffer {
  const parts = Object.entries(files).flatMap(([name, text]) => {
    const data = Buffer.from(text);
    return [headerOf(name, data.length, modifiedAt), data, Buffer.alloc(-data.length & (BLOCK - 1))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]));
}

function headerOf(name: string, size: number, modifiedAt: Date): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new RangeError(`${name} is too long for an archive`);
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.write(name, 0);
  header.write(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  header.write(`${octal(size, 11)}\0${octal(Math.floor(modifiedAt.getTime() / 1_000), 11)}\0`, 124);
  header.write('        0', 148); // the checksum counts as spaces; 0: a plain file
  header.write('ustar\0' + '00', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}
