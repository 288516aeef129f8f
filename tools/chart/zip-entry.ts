import { inflateRawSync } from 'node:zlib';

const CENTRAL_HEADER = 0x02014b50;
const END_OF_DIRECTORY = Buffer.from('504b0506', 'hex');
const CENTRAL_HEADER_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;

/**
 * The content of a deflated file in a ZIP archive (PKWARE APPNOTE 4.3) of less than 4 GiB.
 * @throws when the archive has no such file
 */
export function readZipEntry(archive: Buffer, name: string): Buffer {
  let at = archive.readUInt32LE(archive.lastIndexOf(END_OF_DIRECTORY) + 16);
  while (archive.readUInt32LE(at) === CENTRAL_HEADER) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      archive.readUInt16LE(at + field),
    );
    const end = at + CENTRAL_HEADER_BYTES + (nameLength ?? 0);
    if (archive.toString('utf8', at + CENTRAL_HEADER_BYTES, end) === name) return contentOf(archive, at);
    at = end + (extraLength ?? 0) + (commentLength ?? 0);
  }
  throw new Error(`the archive has no ${name}`);
}

/** The local header repeats the lengths of name and extra field, and the latter may differ. */
function contentOf(archive: Buffer, central: number) {
  const compressed = archive.readUInt32LE(central + 20);
  const local = archive.readUInt32LE(central + 42);
  const begin =
    local + LOCAL_HEADER_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  return inflateRawSync(archive.subarray(begin, begin + compressed));
}
