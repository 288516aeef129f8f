import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { healthOperation, serviceContext } from '@vaultsvc/contracts';
import { startHarness, type Harness } from '@vaultsvc/testing/harness';
import { integrations } from './service-definition.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
  await harness.start(integrations);
});
afterAll(() => harness.stop());

describe('MISC-01: integrations is a service of its own', () => {
  it('starts on its own migrated schema and answers over NATS', async () => {
    const answer = await harness.bus.call(healthOperation('integrations'), {}, serviceContext('test'));
    expect(answer).toEqual({ status: 'ok', version: '0.1.0' });
  });
});
