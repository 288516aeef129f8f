import type { DueMessageRepository, MessageClass } from '../messages/due-message.repository.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import { AccountShares } from './account-shares.js';

/** The messages of one priority in a channel, of which each account has its share of the places. */
export class ClassQueue {
  readonly #shares: AccountShares;
  /** The account that was found last: accounts with equally few messages in flight take turns. */
  #last = '';

  /** @param places messages that are sent concurrently, at most */
  constructor(
    private readonly messages: DueMessageRepository,
    private readonly messageClass: MessageClass,
    places: number,
  ) {
    this.#shares = new AccountShares(places);
  }

  get priority(): MessageClass['priority'] {
    return this.messageClass.priority;
  }

  get isFull(): boolean {
    return this.#shares.isFull;
  }

  /** Claims the next message: of an account with none in flight, else of the one with the fewest. */
  async claim(): Promise<ClaimedMessage | undefined> {
    const lost: string[] = []; // other instances were faster
    for (;;) {
      const waiting = await this.#nextAccount([...this.#shares.accounts, ...lost]);
      const accounts = this.#shares.extensible(waiting !== undefined);
      if (waiting !== undefined) accounts.unshift(waiting);
      const message =
        accounts.length > 0 ? await this.messages.claim(this.messageClass, accounts) : undefined;
      if (message) this.#shares.begin(message.account_id);
      if (message || waiting === undefined) return message;
      lost.push(waiting);
    }
  }

  /** @param isAnswered whether the provider answered, if it was asked */
  end({ account_id: account }: ClaimedMessage, isAnswered: boolean | undefined): void {
    this.#shares.end(account, isAnswered);
  }

  async #nextAccount(except: readonly string[]): Promise<string | undefined> {
    const isFromStart = this.#last === '';
    const found = await this.#search(except);
    return found ?? (isFromStart ? undefined : this.#search(except));
  }

  /** From the last account to the end; then the next search begins anew. */
  async #search(except: readonly string[]): Promise<string | undefined> {
    for (;;) {
      const search = await this.messages.searchAccount(this.messageClass, this.#last, except);
      this.#last = search?.accountId ?? '';
      if (!search) return undefined;
      if (search.isFound) return search.accountId;
    }
  }
}
