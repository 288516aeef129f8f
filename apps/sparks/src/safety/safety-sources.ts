import { Logger } from '@nestjs/common';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import type { SparksConfig } from '../config.js';
import { BlocklistFile } from './blocklist-file.js';
import { readDestination } from './destination.js';
import { isPrivateDestination } from './private-destination.js';
import { UrlSafety } from './url-safety.js';
import { WebRisk } from './web-risk.js';

const CHECK_MS_MAX = 1_800;

/** Asks whoever the settings name: what is on this machine first. The first who knows something decides. */
export class SafetySources extends UrlSafety {
  readonly #logger = new Logger('url-safety');

  constructor(
    readonly blocklist: BlocklistFile | undefined,
    readonly webRisk: WebRisk | undefined,
  ) {
    super();
  }

  /** @throws ConfigError when a setting names what cannot be used. */
  static async open(config: SparksConfig): Promise<SafetySources> {
    const blocklist =
      config.URL_BLOCKLIST_FILE === '' ? undefined : await BlocklistFile.open(config.URL_BLOCKLIST_FILE);
    return new SafetySources(blocklist, config.webRisk && new WebRisk(config.webRisk));
  }

  override async check(url: string): Promise<WarningReason | undefined> {
    try {
      return await this.#ask(url);
    } catch (error) {
      // Of this program, not of a provider: their failures are answers. Neither has the URL in its text.
      this.#logger.error({ msg: 'a destination could not be checked', type: (error as Error).name });
      return 'unchecked';
    }
  }

  async #ask(url: string): Promise<WarningReason | undefined> {
    const destination = readDestination(url);
    if (isPrivateDestination(destination.host)) return 'private_address';
    return (
      (await this.blocklist?.check(destination)) ??
      (await this.webRisk?.check(destination, AbortSignal.timeout(CHECK_MS_MAX)))
    );
  }
}
