import type { IncomingMessage } from 'node:http';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** The bytes of a document as a client accepts them. */
export interface EncodedBody {
  readonly body: Buffer;
  /** `Content-Encoding`; undefined: as it is. */
  readonly encoding: 'br' | undefined;
}

/** A public document that is compressed once. It holds no secret, so that its length reveals none (BREACH). */
export class CompressedDocument {
  #plain: Buffer | undefined;

  private constructor(
    private readonly compressed: Buffer,
    plain?: Buffer,
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

  /** Compressed for clients that accept brotli, as it is for others. */
  encodedFor({ headers }: IncomingMessage): EncodedBody {
    if (acceptsBrotli(headers['accept-encoding'])) return { body: this.compressed, encoding: 'br' };
    this.#plain ??= brotliDecompressSync(this.compressed);
    return { body: this.#plain, encoding: undefined };
  }
}

/** RFC 9110, 12.5.3. `q=0` refuses. */
function acceptsBrotli(header: string | string[] = ''): boolean {
  const codings = String(header).split(',');
  return codings.some((coding) => /^\s*br\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding));
}
