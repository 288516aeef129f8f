import { beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '@vaultsvc/contracts/catalog';
import { rowsOf } from '@vaultsvc/testing/harness';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { operationCases } from './operation-cases.js';
import { sampleOf, vaultAccessOf } from './samples.js';
import { newTenant, type Tenant } from './tenant.js';

const platform = usePlatform();
let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant(platform);
});

/** The events that draw storage or bandwidth when they are booked (OPEN-58, ENT-20). */
const DRAWING = ['sparks.created', 'sparks.read', 'sparks.entropy-generated'];

/** Whether the request has caused an event that draws a pool. */
const hasDrawn = async (requestId: string): Promise<boolean> => {
  const rows = await rowsOf(
    platform.sparks,
    `SELECT 1 FROM recorded_events WHERE request_id = $1 AND name = ANY($2) LIMIT 1`,
    [requestId, DRAWING],
  );
  return rows.length > 0;
};

const ofAccounts = operations.filter(
  ({ access, http }) => access.credential === 'key' && http.surface !== 'links',
);

describe('OPEN-03: an operation whose effect draws a pool is billable', () => {
  it.each(operationCases(ofAccounts))('$operation', async ({ op }) => {
    const input = await sampleOf(op)(tenant);
    const { meta } = await tenant.owner.call(op, input, vaultAccessOf(input).headers);
    const requestId = meta?.request_id ?? 'none';
    expect([op.billable ?? false, await hasDrawn(requestId)]).not.toEqual([false, true]);
  });

  it('and a send, a creation, a read and a draw of entropy are', () => {
    const billable = ofAccounts.filter((op) => op.billable).map(({ name }) => name);
    expect(billable).toEqual(
      expect.arrayContaining(['notify.send', 'sparks.create', 'sparks.read', 'sparks.generate-entropy']),
    );
  });
});
