import { askOnce } from './one-command.js';
import { addressOf, urlAt } from './server-address.js';

/** No Sentinel named the primary. */
export class PrimaryUnknown extends Error {
  override readonly name = 'PrimaryUnknown';
}

/**
 * Asks the Sentinels, one after the other, for the address of the primary.
 * @param sentinels URLs
 * @param url of Redis, whose host is the name of the primary at Sentinel
 * @returns the URL with the address of the primary
 * @throws PrimaryUnknown
 */
export async function urlOfPrimary(sentinels: readonly string[], url: string): Promise<string> {
  const { hostname } = new URL(url);
  const failures: unknown[] = [];
  for (const sentinel of sentinels)
    try {
      return urlAt(url, await askForPrimary(sentinel, decodeURIComponent(hostname)));
    } catch (error) {
      failures.push(error);
    }
  throw new PrimaryUnknown('no Sentinel named the primary of Redis', { cause: new AggregateError(failures) });
}

/** Whether the server refused a command because it is a replica, such as a former primary. */
export function isFromReplica(error: unknown): boolean {
  return error instanceof Error && /\bREADONLY\b/.test(error.message);
}

async function askForPrimary(sentinel: string, name: string): Promise<string> {
  const command = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name];
  const address = await askOnce<readonly [string, string] | null>(sentinel, command);
  if (address === null) throw new PrimaryUnknown(`Sentinel knows no primary "${name}"`);
  return addressOf(...address);
}
