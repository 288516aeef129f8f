import { timingSafeEqual } from 'node:crypto';
import { permanent, type DataKeys } from '@vaultsvc/crypto/data-keys';
import { mac } from '@vaultsvc/crypto/mac';

const PURPOSE = 'unsubscribe';
const MAC_BYTES = 32;

/**
 * Reads the tokens of unsubscribe links in mails of former releases: a MAC, and the subscription in clear. None are made any
 * more, and those in old mails work for ever.
 */
export class SignedTokens {
  constructor(private readonly dataKeys: DataKeys) {}

  /** The text of a token; undefined if we did not sign it. Throws `KmsUnavailable`. */
  async read(bytes: Buffer): Promise<string | undefined> {
    if (bytes.length <= MAC_BYTES) return undefined;
    const text = bytes.subarray(MAC_BYTES).toString('utf8');
    const tag = await this.dataKeys.current(PURPOSE, permanent, (key) => mac(key, 'vk/v1/unsubscribe', text));
    return timingSafeEqual(tag, bytes.subarray(0, MAC_BYTES)) ? text : undefined;
  }
}
