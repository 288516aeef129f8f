import { plainAddress } from './client-address.js';

export function isLoopback(host: string): boolean {
  const address = plainAddress(host);
  return host === 'localhost' || address === '::1' || (address?.startsWith('127.') ?? false);
}
