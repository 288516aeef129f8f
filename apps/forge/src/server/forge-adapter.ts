import type { RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { createOriginServer, type LastAnswers } from '@vaultsvc/http';
import type { Front } from './front.js';

/**
 * A whole request may take as long as its bytes do: a chunk of 50 MiB through a slow line is no attack.
 * Who is too slow is decided by rate, where the bytes are read.
 */
const serverOptions = {
  requestTimeout: 0,
  highWaterMark: 256 * 1_024,
};

/** What is used of Express. */
interface ExpressApp {
  readonly router: object;
  set(setting: string, value: unknown): void;
}

/** Nest's Express behind our front, over a server that is made for transfers. */
export class ForgeAdapter extends ExpressAdapter {
  #front: Front | undefined;
  #lastAnswers: LastAnswers | undefined;

  constructor(private readonly apiVersion: string) {
    super();
  }

  /** From now on requests are answered; Nest makes the server before its providers exist. */
  serve(front: Front): void {
    this.#front = front;
  }

  override initHttpServer(): void {
    const app = this.getInstance<RequestListener & ExpressApp>();
    for (const setting of ['x-powered-by', 'etag']) app.set(setting, false);
    // OPEN-55. Nest has made the router by now, so the settings of the same names would come too late.
    Object.assign(app.router, { caseSensitive: true, strict: true });
    const handle: RequestListener = (request, response) => this.#front?.handle(request, response, app);
    const { server, lastAnswers } = createOriginServer(handle, this.apiVersion, serverOptions);
    this.#lastAnswers = lastAnswers;
    this.setHttpServer(server);
  }

  /** Takes no new connections and waits for what is under way. */
  override async close(): Promise<undefined> {
    await this.#lastAnswers?.close();
  }
}
