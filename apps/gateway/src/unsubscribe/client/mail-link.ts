import { createClient, type Schema } from '@vaultsvc/client';
import { pageCalls } from '../../page-client/page-calls.js';

/** What the link is about, and the preferences of the address. */
export type MailPreferences = Schema<'CategorySubscription'>;
export type MailPreferenceChanges = Schema<'MailPreferenceChanges'>;

const PATH = '/v1/unsubscribe';

/** The calls of one link. All methods reject with ApiError or ConnectionError. */
export class MailLink {
  readonly #client = createClient(pageCalls);

  constructor(private readonly token: string) {}

  async read(): Promise<MailPreferences> {
    return (await this.#client.GET(PATH, this.#query)).data;
  }

  /** Ends the mails that the link is about. */
  async end(): Promise<MailPreferences> {
    return (await this.#client.POST(PATH, this.#query)).data;
  }

  async set(body: MailPreferenceChanges): Promise<MailPreferences> {
    return (await this.#client.PUT(PATH, { ...this.#query, body })).data;
  }

  get #query() {
    return { params: { query: { token: this.token } } };
  }
}
