import { Logger, type Provider } from '@nestjs/common';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import { SparksConfig } from '../config.js';
import { BlocklistFile } from './blocklist.js';
import { readDestination, isPrivateDestination } from './destination.js';
import { WebRisk } from './web-risk.js';

const CHECK_MS_MAX = 1_800;

/**
 * Checks whether visitors may be sent to a URL: private addresses, the operator's blocklist, then Web Risk, as far as
 * they are configured. The first finding decides.
 *
 * Never requests the destination and never resolves its name (OPEN-26). Either would reveal the visit to the
 * destination's owner, and would let the creator of a link aim requests of this network.
 */
export class UrlSafety {
  readonly #logger = new Logger('url-safety');

  constructor(
    readonly blocklist: BlocklistFile | undefined,
    readonly webRisk: WebRisk | undefined,
  ) {}

  /** @throws ConfigError for an unreadable blocklist or an unsafe Web Risk URL */
  static async open(config: SparksConfig): Promise<UrlSafety> {
    const blocklist =
      config.URL_BLOCKLIST_FILE === '' ? undefined : await BlocklistFile.open(config.URL_BLOCKLIST_FILE);
    return new UrlSafety(blocklist, config.webRisk && new WebRisk(config.webRisk));
  }

  /**
   * The reason to warn of `url`, an http or https URL that `isLinkDestination` accepts; undefined without a finding,
   * `unchecked` when a configured source could not answer. Answers within two seconds and never throws.
   */
  async check(url: string): Promise<WarningReason | undefined> {
    try {
      return await this.#firstFinding(url);
    } catch (error) {
      // A defect of this program: sources report their failures as `unchecked`. The log must not contain the URL.
      this.#logger.error({ msg: 'a destination could not be checked', type: (error as Error).name });
      return 'unchecked';
    }
  }

  async #firstFinding(url: string): Promise<WarningReason | undefined> {
    const destination = readDestination(url);
    if (isPrivateDestination(destination.host)) return 'private_address';
    return (
      (await this.blocklist?.check(destination)) ??
      (await this.webRisk?.check(destination, AbortSignal.timeout(CHECK_MS_MAX)))
    );
  }
}

/** Opens the configured sources before the service starts; two jobs keep their lists up to date. */
export const urlSafetyProvider: Provider = {
  provide: UrlSafety,
  useFactory: (config: SparksConfig) => UrlSafety.open(config),
  inject: [SparksConfig],
};
