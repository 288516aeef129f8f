export interface Visited {
  readonly url: string;
  readonly status: number;
  /** The target of the redirect, absolute. */
  readonly location: string | undefined;
  readonly text: string;
}

/** The part of a browser that a sign-in needs: it stores cookies, and stops before each redirect. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  get(url: string): Promise<Visited> {
    return this.#visit(url, {});
  }

  post(url: string, form: Record<string, string>): Promise<Visited> {
    return this.#visit(url, { method: 'POST', body: new URLSearchParams(form) });
  }

  async #visit(url: string, request: RequestInit): Promise<Visited> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { ...request, redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) this.#keep(set);
    const location = answer.headers.get('location');
    return {
      url,
      status: answer.status,
      location: location === null ? undefined : new URL(location, url).href,
      text: await answer.text(),
    };
  }

  #keep(setCookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
    this.#cookies.set(name, value);
  }
}
