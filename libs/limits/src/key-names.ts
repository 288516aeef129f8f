import { clientNetwork } from './fixed-window.js';

/** The key of the hash with the last uses of all API keys. */
export const USES = 'used';

/**
 * The names of keys in Redis. In a cluster the keys of an account have its id as their hash tag, so that they are on one server, where
 * one script uses all of them. Without one, the names are those of earlier releases.
 */
export class KeyNames {
  constructor(private readonly isCluster: boolean) {}

  /** @param key `k:<hex lookup hash>` or `s:<session family>` */
  credential(key: string): string {
    return `cred:${key}`;
  }

  poolSnapshot(accountId: string): string {
    return this.isCluster ? `funds:{${accountId}}` : `funds:${accountId}`;
  }

  /** The counter of the calls of an account; without a cluster, the end of the window follows. */
  callsOfAccount(accountId: string): string {
    return this.isCluster ? `rl:{${accountId}}` : `rl:${accountId}:`;
  }

  /** The counter of the calls of a client's network; without a cluster, the end of the window follows. */
  callsOfAddress(clientIp: string): string {
    const network = clientNetwork(clientIp);
    return this.isCluster ? `ip:${network}` : `ip:${network}:`;
  }
}
