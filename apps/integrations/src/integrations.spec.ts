import { describe, expect, it } from '@jest/globals';
import { healthOperation, serviceContext } from '@vaultsvc/contracts';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { integrations } from './service-definition.js';

const harness = useHarness();
useService(harness, integrations);

describe('MISC-01: integrations is a service of its own', () => {
  it('starts on its own migrated schema and answers over NATS', async () => {
    const answer = await harness.bus.call(
      healthOperation('integrations'),
      {},
      serviceContext({ requestId: 'test' }),
    );
    expect(answer).toEqual({ status: 'ok', version: '0.1.0' });
  });
});
