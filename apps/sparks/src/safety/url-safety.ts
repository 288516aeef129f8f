import type { WarningReason } from '@vaultsvc/contracts/sparks';

/**
 * Says whether people may be sent to a URL. The Nest token of whichever providers the settings name.
 *
 * Nothing is ever sent to the destination, and no name of it is looked up: both would tell its owner that the link is
 * being opened, and give whoever made the link a request of our network to aim (OPEN-26).
 */
export abstract class UrlSafety {
  /**
   * Why to warn of `url`, an http or https URL as `isLinkDestination` takes it; undefined: nothing is known against
   * it. `unchecked` when nobody could say. Answers within two seconds and never throws.
   */
  abstract check(url: string): Promise<WarningReason | undefined>;
}
