import { describe, expect, it } from '@jest/globals';
import { healthOperation } from '@vaultsvc/contracts';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { internalContext } from '@vaultsvc/testing/harness';
import { vaults } from './service-definition.js';

const harness = useHarness();
useService(harness, vaults);

describe('MISC-01: the service vaults', () => {
  it('starts on its own migrated schema and answers over NATS', async () => {
    const answer = await harness.bus.call(healthOperation('vaults'), {}, internalContext());
    expect(answer).toEqual({ status: 'ok', version: '0.1.0' });
  });
});
