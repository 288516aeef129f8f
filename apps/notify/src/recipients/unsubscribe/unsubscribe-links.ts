import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { UNSUBSCRIBE_PAGE } from '@vaultsvc/contracts/notify';
import { openContent, sealContent, Tampered, UnknownFormat, WrongKey } from '@vaultsvc/crypto/aead';
import { DataKeys, permanent } from '@vaultsvc/crypto/data-keys';
import { NotifyConfig } from '../../config.js';
import { currentKeyOf } from '../preference-keys.js';
import { SignedTokens } from './signed-tokens.js';

const PURPOSE = 'mail-links';

/** The subscription that a link is about: mails of a sender to an address, of one category or all. */
export interface Subscribed {
  readonly accountId: string;
  /** `email:…`, under which the address's preferences are kept; of older links also `id:…`. */
  readonly directoryKey: string;
  readonly category: string | null;
}

/** The addresses of one mail at which its recipient unsubscribes. */
export interface Unsubscription {
  /** Of the header: a POST without a body of use ends the subscription (RFC 8058). */
  readonly oneClickUrl: string;
  /** Of the visible link: a page, which acts at the press of a button. */
  readonly pageUrl: string;
}

/**
 * Makes and reads the tokens of unsubscribe links (RFC 8058, NTF-41). A token holds its subscription, sealed: nobody who meets
 * the URL, in a log or a proxy, reads the address. So links in old mails work for ever, and no row is stored for a mail.
 */
@Injectable()
export class UnsubscribeLinks {
  readonly #signed: SignedTokens;

  constructor(
    private readonly dataKeys: DataKeys,
    private readonly config: NotifyConfig,
  ) {
    this.#signed = new SignedTokens(dataKeys);
  }

  /** Throws `KmsUnavailable`. */
  async unsubscriptionOf(subscribed: Subscribed): Promise<Unsubscription> {
    const query = `?token=${await this.tokenOf(subscribed)}`;
    const { API_ORIGIN: origin } = this.config;
    return {
      oneClickUrl: `${origin}/v1/unsubscribe${query}`,
      pageUrl: `${origin}${UNSUBSCRIBE_PAGE}${query}`,
    };
  }

  /** Throws `KmsUnavailable`. */
  async tokenOf({ accountId, directoryKey, category }: Subscribed): Promise<string> {
    const plain = Buffer.from(JSON.stringify([accountId, directoryKey, category]));
    const sealed = await this.dataKeys.current(PURPOSE, permanent, (key) =>
      sealContent(key, LABEL, [], plain),
    );
    return sealed.toString('base64url');
  }

  /** Throws UNSUBSCRIBE_LINK_INVALID for a token that we did not make. */
  async read(token: string): Promise<Subscribed> {
    const bytes = Buffer.from(token, 'base64url');
    if (bytes.toString('base64url') !== token) throw invalid();
    const text = (await this.#open(bytes)) ?? (await this.#signed.read(bytes));
    if (text === undefined) throw invalid();
    const [accountId, directoryKey, category] = JSON.parse(text) as [string, string, string | null];
    return { accountId, directoryKey: currentKeyOf(directoryKey), category };
  }

  /** Undefined for a token of the former form, and for one that we did not make. */
  #open(bytes: Buffer): Promise<string | undefined> {
    return this.dataKeys.current(PURPOSE, permanent, (key) => {
      try {
        return openContent(key, LABEL, [], bytes).toString('utf8');
      } catch (error) {
        if (isRefusal(error)) return undefined;
        throw error;
      }
    });
  }
}

const LABEL = `vk/v1/sealed/${PURPOSE}` as const;

function isRefusal(error: unknown): boolean {
  return error instanceof UnknownFormat || error instanceof WrongKey || error instanceof Tampered;
}

function invalid(): AppError {
  return new AppError('UNSUBSCRIBE_LINK_INVALID');
}
