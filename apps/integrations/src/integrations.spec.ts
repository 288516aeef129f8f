import { describe, expect, it } from '@jest/globals';
import { healthOperation } from '@vaultsvc/contracts';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { internalContext } from '@vaultsvc/testing/harness';
import { integrations } from './service-definition.js';

const harness = useHarness();
useService(harness, integrations);

describe('MISC-01: integrations is a service of its own', () => {
  it('starts on its own migrated schema and answers over NATS', async () => {
    const answer = await harness.bus.call(healthOperation('integrations'), {}, internalContext());
    expect(answer).toEqual({ status: 'ok', version: '0.1.0' });
  });
});
