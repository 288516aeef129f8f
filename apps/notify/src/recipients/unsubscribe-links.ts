import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { DataKeys, permanent } from '@vaultsvc/crypto/data-keys';
import { mac } from '@vaultsvc/crypto/mac';
import { timingSafeEqual } from 'node:crypto';
import { NotifyConfig } from '../config.js';

const PURPOSE = 'unsubscribe';
const MAC_BYTES = 32;

/** The subscription that a link ends: mails of a sender to a recipient, of one category or all. */
export interface Subscribed {
  readonly accountId: string;
  readonly directoryKey: string;
  readonly category: string | null;
}

/**
 * Signs and reads the tokens of unsubscribe links (RFC 8058, NTF-41). A token holds its subscription and a MAC, so that links
 * in old mails work for ever and no row is stored for a mail.
 */
@Injectable()
export class UnsubscribeLinks {
  constructor(
    private readonly dataKeys: DataKeys,
    private readonly config: NotifyConfig,
  ) {}

  /** Throws `KmsUnavailable`. */
  async urlOf(subscribed: Subscribed): Promise<string> {
    const text = JSON.stringify([subscribed.accountId, subscribed.directoryKey, subscribed.category]);
    const tag = await this.#macOf(text);
    const token = Buffer.concat([tag, Buffer.from(text)]).toString('base64url');
    return `${this.config.API_ORIGIN}/v1/unsubscribe?token=${token}`;
  }

  /** Throws UNSUBSCRIBE_LINK_INVALID for a token that we did not sign. */
  async read(token: string): Promise<Subscribed> {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) throw invalid();
    const text = bytes.subarray(MAC_BYTES).toString('utf8');
    if (!timingSafeEqual(await this.#macOf(text), bytes.subarray(0, MAC_BYTES))) throw invalid();
    const [accountId, directoryKey, category] = JSON.parse(text) as [string, string, string | null];
    return { accountId, directoryKey, category };
  }

  #macOf(text: string): Promise<Buffer> {
    return this.dataKeys.current(PURPOSE, permanent, (key) => mac(key, 'vk/v1/unsubscribe', text));
  }
}

function invalid(): AppError {
  return new AppError('UNSUBSCRIBE_LINK_INVALID');
}
