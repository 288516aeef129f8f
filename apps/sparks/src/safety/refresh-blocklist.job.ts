import { Injectable, Logger } from '@nestjs/common';
import { UrlSafety } from './url-safety.js';

/** Looks once a minute whether the operator's list has changed. One that cannot be read stays in force as it was. */
@Injectable()
export class RefreshBlocklist {
  readonly everySeconds = 60;
  readonly #logger = new Logger('url-safety');

  constructor(private readonly sources: UrlSafety) {}

  async run(): Promise<void> {
    await this.sources.blocklist
      ?.refresh()
      .catch((error: Error) => this.#logger.warn({ msg: 'blocklist not read', err: error }));
  }
}
