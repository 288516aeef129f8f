import { describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { createSpark, type NewSpark } from '@vaultsvc/contracts/sparks';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext, rowsOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { reporting } from '../../../apps/reporting/src/service-definition.js';
import { sparks } from '../../../apps/sparks/src/service-definition.js';
import { freePort } from '../../stack/servers/ports.ts';

const harness = useHarness({ LOG_LEVEL: 'silent', EVENT_STREAMS: 'each' });

async function streamNames(): Promise<string[]> {
  const names: string[] = [];
  for await (const name of (await jetstreamManager(harness.connection)).streams.names()) names.push(name);
  return names;
}

describe('MISC-01 OPEN-51: a stream of events for each service', () => {
  it('brings the events of each to those that apply them, with the rights of a deployment', async () => {
    const consumer = await harness.start(reporting);
    const publisher = await harness.start(sparks);
    const context = accountContext();
    await harness.bus.call(createSpark, { body: { payload: 'x' } as NewSpark }, context);
    const values = [context.credential.accountId];
    const entries = () => rowsOf(consumer, `SELECT 1 FROM ledger WHERE account_id = $1`, values);
    await eventually(entries, (rows) => rows.length > 0);
    const names = await streamNames();
    expect(names).toEqual(expect.arrayContaining(['EVENTS-sparks', 'EVENTS-reporting']));
    expect(names).not.toContain('EVENTS');
    await publisher.stop();
  });

  it('is not mixed with the stream of all: a service with the other setting takes no calls', async () => {
    const port = await freePort();
    const other = await harness.start(sparks, { EVENT_STREAMS: 'one', PRIVATE_PORT: String(port) });
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { waiting_for: ['events'] }]);
    expect(await streamNames()).not.toContain('EVENTS');
    await other.stop();
  });
});
