import { plainAddress } from '@vaultsvc/http';

export function isLoopback(host: string): boolean {
  const address = plainAddress(host);
  return host === 'localhost' || address === '::1' || (address?.startsWith('127.') ?? false);
}
