import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { isPrivateAddress } from './private-address.js';

/** A host of a request is not on the public Internet. The name is omitted, because it may be a secret. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = 'PRIVATE_ADDRESS';

  constructor() {
    super('the host has a private address');
  }
}

/**
 * The options by which a request of `node:http` or `node:https` reaches public hosts only. The check is made on the addresses
 * that the connection uses, because a name may resolve to another address later (DNS rebinding). A request that cannot set
 * them, such as `fetch`, must not be used for addresses that callers choose.
 * @throws PrivateAddressError for a host that is a private address; it would not be looked up
 */
export function publicHost({ hostname }: URL): { readonly lookup: LookupFunction } {
  const isAddress = /^[\d.]+$|^\[/.test(hostname);
  if (isAddress && isPrivateAddress(hostname.replace(/^\[(.*)\]$/, '$1'))) throw new PrivateAddressError();
  return { lookup: publicLookup };
}

/** Resolves a name to its addresses, all of which must be public: which one is connected to is up to the system. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error ?? new PrivateAddressError(), []);
    if (addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(new PrivateAddressError(), []);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};
