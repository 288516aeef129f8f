import type { NamedKeys } from '@vaultsvc/config';
import { CallMac } from '@vaultsvc/crypto/mac';

/** The keys of one service: a key for each service that it calls, and for each that calls it (OPEN-51). */
export class CallKeys {
  readonly #macs: ReadonlyMap<string, CallMac>;

  /** @param keys by `caller-called`: `gateway-auth` */
  constructor(
    readonly service: string,
    keys: NamedKeys,
  ) {
    this.#macs = new Map([...keys].map(([pair, versions]) => [pair, new CallMac(...versions)]));
  }

  /**
   * The MAC of the calls from one service to another.
   * @throws Error naming the missing key
   */
  between(caller: string, called: string): CallMac {
    const pair = `${caller}-${called}`;
    const found = this.#macs.get(pair);
    if (!found) throw new Error(`CALL_KEYS has no key ${pair}: make it with npm run provision`);
    return found;
  }
}
