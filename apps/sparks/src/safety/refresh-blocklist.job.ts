import { Injectable, Logger } from '@nestjs/common';
import { UrlSafety } from './url-safety.js';

/** Rereads the operator's blocklist when its file has changed. While the file is unreadable, the old list stays in use. */
@Injectable()
export class RefreshBlocklist {
  readonly everySeconds = 60;
  readonly #logger = new Logger('url-safety');

  constructor(private readonly safety: UrlSafety) {}

  async run(): Promise<void> {
    await this.safety.blocklist
      ?.refresh()
      .catch((error: Error) => this.#logger.warn({ msg: 'blocklist not read', err: error }));
  }
}
