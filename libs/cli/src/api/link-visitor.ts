import type { Client, Schema } from '@vaultsvc/client';

/** The content of a link. */
export type LinkContent = Schema<'LinkContent'>;

/** `resume`: releases that cannot resume ignore it. */
interface Opening {
  readonly describe: boolean;
  readonly verification_token?: string;
  readonly resume?: boolean;
}

/** Opens a link as its recipient does, without an account. */
export class LinkVisitor {
  /** `client`: without credentials, for the origin of the link. */
  constructor(
    private readonly client: Client,
    private readonly code: string,
  ) {}

  /** What an opening would return, without opening the link. @throws ApiError as an opening */
  describe(verification_token?: string): Promise<LinkContent> {
    return this.#open({ describe: true, verification_token });
  }

  /** @throws ApiError */
  open(verification_token?: string): Promise<LinkContent> {
    return this.#open({ describe: false, verification_token });
  }

  /** Opens the link of a file, with a URL that can be used again where the server issues one. @throws ApiError */
  openFile(verification_token?: string): Promise<LinkContent> {
    return this.#open({ describe: false, verification_token, resume: true });
  }

  async #open(opening: Opening): Promise<LinkContent> {
    const body = { confirmed: true, ...opening };
    return (await this.client.POST('/{link_code}/burn', { ...this.#params, body })).data;
  }

  /** Sends a code to an identity. The answer does not reveal whether it is invited. */
  async startVerification(identity: string): Promise<void> {
    await this.client.POST('/{link_code}/verify/start', { ...this.#params, body: { identity } });
  }

  /** Returns the token that opens the link. */
  async confirmVerification(identity: string, code: string): Promise<string> {
    const options = { ...this.#params, body: { identity, code } };
    return (await this.client.POST('/{link_code}/verify/confirm', options)).data.verification_token;
  }

  get #params() {
    return { params: { path: { link_code: this.code } } };
  }
}

/** The origin and the code of a link, or undefined for another text. */
export function parseLink(text: string): { readonly origin: string; readonly code: string } | undefined {
  const url = /^https?:\/\//.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  const [, code] = /^\/([^/]+)\/?$/.exec(url?.pathname ?? '') ?? [];
  return url && code ? { origin: url.origin, code } : undefined;
}
