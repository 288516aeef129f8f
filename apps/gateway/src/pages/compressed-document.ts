import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The bytes of a document as a client accepts them. */
export interface EncodedBody {
  readonly body: Buffer;
  /** `Content-Encoding`; undefined: as it is. */
  readonly encoding: 'br' | 'gzip' | undefined;
}

/** A public document that is compressed once. It holds no secret, so that its length reveals none (BREACH). */
export class CompressedDocument {
  #plain: Buffer | undefined;

  private constructor(
    private readonly compressed: Buffer,
    plain?: Buffer,
    private readonly gzipped?: Buffer,
  ) {
    this.#plain = plain;
  }

  static of(text: string): CompressedDocument {
    const plain = Buffer.from(text);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
    return new CompressedDocument(brotliCompressSync(plain, { params }), plain);
  }

  static ofBrotli(base64: string): CompressedDocument {
    return new CompressedDocument(Buffer.from(base64, 'base64'));
  }

  /** Of a document that was compressed before, by both codings. */
  static ofCompressed(brotli: Buffer, gzipped: Buffer): CompressedDocument {
    return new CompressedDocument(brotli, undefined, gzipped);
  }

  /** Compressed for clients that accept it, as it is for others. */
  encodedFor({ headers }: IncomingMessage): EncodedBody {
    const accepted = headers['accept-encoding'];
    if (accepts('br', accepted)) return { body: this.compressed, encoding: 'br' };
    if (this.gzipped && accepts('gzip', accepted)) return { body: this.gzipped, encoding: 'gzip' };
    this.#plain ??= brotliDecompressSync(this.compressed);
    return { body: this.#plain, encoding: undefined };
  }
}

/** RFC 9110, 12.5.3. `q=0` refuses. */
function accepts(coding: 'br' | 'gzip', header: string | string[] = ''): boolean {
  const accepted = new RegExp(`^\\s*${coding}\\s*(;\\s*q=(?!0(\\.0*)?\\s*$).*)?$`, 'i');
  return String(header)
    .split(',')
    .some((one) => accepted.test(one));
}
