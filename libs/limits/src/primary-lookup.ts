import { createClient } from '@redis/client';

const ANSWER_MS = 1_000;

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
      return withAddress(url, await askForPrimary(sentinel, decodeURIComponent(hostname)));
    } catch (error) {
      failures.push(error);
    }
  throw new PrimaryUnknown('no Sentinel named the primary of Redis', { cause: new AggregateError(failures) });
}

/** Whether the server refused a command because it is a replica, such as a former primary. */
export function isFromReplica(error: unknown): boolean {
  return error instanceof Error && /\bREADONLY\b/.test(error.message);
}

async function askForPrimary(sentinel: string, name: string): Promise<readonly [string, string]> {
  const client = createClient({
    url: sentinel,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    socket: { connectTimeout: ANSWER_MS, socketTimeout: ANSWER_MS, reconnectStrategy: false },
  });
  client.on('error', () => undefined); // connect and the command fail with it
  try {
    await client.connect();
    const command = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name];
    const address = await client.sendCommand<readonly [string, string] | null>(command);
    if (address === null) throw new PrimaryUnknown(`Sentinel knows no primary "${name}"`);
    return address;
  } finally {
    if (client.isOpen) client.destroy();
  }
}

function withAddress(text: string, [host, port]: readonly [string, string]): string {
  const url = new URL(text);
  url.hostname = host.includes(':') ? `[${host}]` : host;
  url.port = port;
  return url.href;
}
