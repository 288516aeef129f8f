import type { RequestListener } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { createOriginServer, type ApiInfo, type GracefulHttpClose } from '@vaultsvc/http';
import type { ForgeListener } from './forge-listener.js';

/**
 * A chunk of 50 MiB on a slow connection may take long, so a request has no timeout as a whole. The upload and download
 * code enforces a minimum rate instead.
 */
const serverOptions = {
  requestTimeout: 0,
  highWaterMark: 256 * 1_024,
};

/** The part of Express that is used here. */
interface ExpressApp {
  readonly router: object;
  set(setting: string, value: unknown): void;
}

/** Nest's Express adapter with ForgeListener as the listener of its HTTP server. */
export class ForgeAdapter extends ExpressAdapter {
  #listener: ForgeListener | undefined;
  #gracefulClose: GracefulHttpClose | undefined;

  constructor(private readonly api: ApiInfo) {
    super();
  }

  /** Sets the listener, after Nest has created the providers; Nest creates the server before them. */
  serve(listener: ForgeListener): void {
    this.#listener = listener;
  }

  override initHttpServer(): void {
    const app = this.getInstance<RequestListener & ExpressApp>();
    for (const setting of ['x-powered-by', 'etag']) app.set(setting, false);
    // OPEN-55. Nest has already created the router, so Express' settings of the same names would have no effect.
    Object.assign(app.router, { caseSensitive: true, strict: true });
    const handle: RequestListener = (request, response) => this.#listener?.handle(request, response, app);
    const { server, gracefulClose } = createOriginServer(handle, this.api, serverOptions);
    this.#gracefulClose = gracefulClose;
    this.setHttpServer(server);
  }

  /** Stops accepting connections and waits for pending responses. */
  override async close(): Promise<undefined> {
    await this.#gracefulClose?.close();
  }
}
