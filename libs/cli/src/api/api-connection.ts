import {
  createClient,
  MemorySessionStore,
  TokenSession,
  type Client,
  type IgnoredNames,
  type RetryWait,
} from '@vaultsvc/client';
import { exitCodes } from '../exit-codes.js';
import { CliError, UsageError } from '../failures.js';
import type { Environment } from '../environment.js';
import type { CredentialStore, StoredServer } from '../storage/credential-store.js';
import { apiOrigin } from './api-origin.js';

/** Creates clients with the credentials of the environment, or else of the last login. All of them stop at Ctrl-C. */
export class ApiConnection {
  constructor(
    private readonly environment: Environment,
    private readonly store: CredentialStore,
    private readonly signal: AbortSignal,
    private readonly onIgnored: (ignored: IgnoredNames) => void,
    private readonly onWait: (wait: RetryWait) => void,
  ) {}

  /** The origin of the API. @throws CliError if none is known */
  get url(): string {
    const url = this.environment.url ?? this.store.currentUrl;
    if (url === undefined)
      throw new CliError('Log in first: vaultsvc login --url <origin>', exitCodes.denied);
    return apiOrigin(url);
  }

  /** The client of the caller. @throws CliError if nobody is logged in */
  client(): Client {
    const { url } = this;
    if (this.environment.apiKey !== undefined)
      return this.clientFor(url, { api_key: headerText(this.environment.apiKey) });
    const { api_key: apiKey, session } = this.store.server(url);
    if (apiKey === undefined && !session)
      throw new CliError(`Log in first: vaultsvc login --url ${url}`, exitCodes.denied);
    const kept = session && new TokenSession({ url }, this.store.sessions(url));
    return createClient({ url, apiKey, session: kept, ...this.#rest });
  }

  /** A client with credentials that are not stored yet. */
  clientFor(url: string, { api_key: apiKey, session: tokens }: StoredServer): Client {
    const session = tokens && new TokenSession({ url }, new MemorySessionStore(tokens));
    return createClient({ url, apiKey, session, ...this.#rest });
  }

  /** A client without credentials: for a sign-in, and for the origin of links. */
  anonymous(url: string): Client {
    return createClient({ url, ...this.#rest, onIgnored: this.#warnOfIgnored });
  }

  /** `resume` is a wish: what its absence means is said by the command. */
  readonly #warnOfIgnored = ({ call, names }: IgnoredNames) => {
    const others = names.filter((name) => name !== 'resume');
    if (others.length > 0) this.onIgnored({ call, names: others });
  };

  /** Ends the stored session at the API. */
  async endSession(url: string): Promise<void> {
    await new TokenSession({ url }, this.store.sessions(url)).end();
  }

  get #rest() {
    return { fetch: this.#fetch, onIgnored: this.onIgnored, retry: { onWait: this.onWait } };
  }

  readonly #fetch = (request: Request) =>
    fetch(request, { signal: AbortSignal.any([request.signal, this.signal]) });
}

/** Header values are ASCII: `fetch` would throw at the placeholder of an example, `vk_live_…`, as if there were no network. */
function headerText(apiKey: string): string {
  if (/^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new UsageError('VAULTSVC_API_KEY is not an API key: one has vk_live_ and 49 letters and digits.');
}
