/** The part that the inbox uses; the package has no types. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  interface DecryptParameters {
    version: 'aes128gcm';
    privateKey: ECDH;
    authSecret: Buffer;
  }

  /** @throws if the content is not encrypted for these keys */
  export function decrypt(content: Buffer, parameters: DecryptParameters): Buffer;
}
