import { describe, expect, it } from '@jest/globals';
import { healthOperation } from '@vaultsvc/contracts';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { internalContext } from '@vaultsvc/testing/harness';
import { notify } from './service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
useService(harness, notify);

describe('MISC-01: notify', () => {
  it('starts on its own migrated schema and replies over NATS', async () => {
    const answer = await harness.bus.call(healthOperation('notify'), {}, internalContext());
    expect(answer).toEqual({ status: 'ok', version: '0.1.0' });
  });
});
