// Calls whose time would follow the size of a table that it reads without an index.
import type { StackDescription } from '../../stack/descriptor.ts';
import { httpClient, load } from '../load.ts';

const COUNT = 100;

const UNKNOWN = '/v1/sparks/spk_0000000000000000000000';

const CALLS: Readonly<Record<string, string>> = {
  'an unknown Spark': UNKNOWN,
  'Sparks, 50': '/v1/sparks?limit=50',
  'history of Sparks, 50': '/v1/sparks/history?limit=50',
  'audit log, 50': '/v1/audit-logs?limit=50',
  'audit log, rare type': '/v1/audit-logs?limit=50&event_types=vault_created',
  'transactions, 50': '/v1/billing/transactions?limit=50',
  'overview, week': '/v1/analytics/overview?period=week',
};

/** The median of each call in milliseconds, one caller. */
export async function measureLists({ api_url, account }: StackDescription): Promise<Record<string, number>> {
  const api = httpClient(api_url, 1);
  const headers = { 'x-api-key': account.api_key ?? '' };
  try {
    const measured: Record<string, number> = {};
    for (const [name, path] of Object.entries(CALLS)) {
      const task = async () => {
        const { status, text } = await api.send('GET', path, headers);
        if (status !== (path === UNKNOWN ? 404 : 200))
          throw new Error(`${path} was answered ${status}: ${text.slice(0, 200)}`);
      };
      const { errors, p50, results } = await load({ count: COUNT, concurrency: 1, task });
      if (errors > 0)
        throw new Error(`${errors} calls failed`, { cause: results.find((r) => r instanceof Error) });
      measured[`${name}, p50 ms`] = p50;
    }
    return measured;
  } finally {
    api.close();
  }
}
