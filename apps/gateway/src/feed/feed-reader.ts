import { Injectable } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { readFeed, type FeedEntries } from '@vaultsvc/contracts/notify';
import { Bus } from '@vaultsvc/messaging';
import { RequestAuthenticator, type PresentedCredential } from '../access/request-authenticator.js';

/** Whom a socket belongs to. */
export interface FeedOwner {
  readonly accountId: string;
  readonly credential: PresentedCredential;
  /** The request that opened the socket. */
  readonly requestId: string;
}

/** Reads the feed of an account for one of its sockets. */
@Injectable()
export class FeedReader {
  constructor(
    private readonly authenticator: RequestAuthenticator,
    private readonly bus: Bus,
  ) {}

  /** The entries after a position. @throws INTERNAL_ERROR when notify is unavailable */
  read({ accountId, requestId }: FeedOwner, after: number): Promise<FeedEntries> {
    return this.bus.call(readFeed, { body: { account_id: accountId, after } }, serviceContext({ requestId }));
  }

  /** As `read`; null once the credential is no longer valid. */
  async readIfAllowed(owner: FeedOwner, after: number): Promise<FeedEntries | null> {
    const isValid = await this.authenticator.isStillValid(owner.credential, owner.requestId);
    return isValid ? this.read(owner, after) : null;
  }
}
