import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { generateEntropy } from '@vaultsvc/contracts/sparks';
import { STRUCTURED_PATH } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { api, type ApiResponse, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { FakeServices, fakeServices } from '../testing/fake-services.js';
import { newApiKey, fixtureSettings } from '../testing/gateway-fixture.js';
import { gateway } from '../service-definition.js';

const LIMIT = 3;

const harness = useHarness({ LOG_LEVEL: 'silent' });
let fakes: FakeServices;
let url: string;
let limitedUrl: string;
beforeAll(async () => {
  fakes = (await harness.start(fakeServices)).context.get(FakeServices);
  url = urlOf(await harness.start(gateway, fixtureSettings));
  const limited = { ...fixtureSettings, RATE_LIMIT_PER_MINUTE: String(LIMIT) };
  limitedUrl = urlOf(await harness.start(gateway, limited));
});

const newCaller = (at = url): Api => api(at, { key: newApiKey(fakes).key });
const inVaults = operations.filter(({ access }) => access.vat !== undefined && access.vatOf === undefined);
const isStructured = ({ http }: PublicOperation) => http.path.startsWith(STRUCTURED_PATH);
const titled = (ops: readonly PublicOperation[]) =>
  ops.map((op) => ({ operation: `${op.http.method} ${op.http.path}`, op }));

/** A call that passes the gateway's checks ahead of the services. */
function callOf({ http, body }: PublicOperation, headers: Record<string, string> = {}) {
  const ids: Record<string, string> = { vault_id: newId('vlt_'), ingot_id: newId('ing_') };
  const target = http.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? newId('fld_'));
  return {
    method: http.method,
    target,
    headers,
    body: body && { num_bytes: 1, name: 'a', data: {}, set: { a: 'b' } },
  };
}

describe('VAT-06 AMB-10 STR-18 TRAP 34: a call without a Vault Access Token is refused', () => {
  it.each(titled(inVaults))('$operation', async ({ op }) => {
    for (const headers of [undefined, { 'X-Vault-Access-Token': '' }]) {
      const answer = await newCaller().send(callOf(op, headers));
      if (isStructured(op))
        expect(answer).toMatchObject({
          status: 400,
          error: {
            code: 'VALIDATION_ERROR',
            details: { fields: [{ field: 'X-Vault-Access-Token', message: 'must be present' }] },
          },
        });
      else expect(answer).toMatchObject({ status: 401, error: { code: 'AUTHENTICATION_ERROR' } });
    }
  });

  it('STR-19: with 401 for a token that vaults does not know, on structured routes too', async () => {
    for (const op of inVaults.filter(isStructured))
      expect(await newCaller().send(callOf(op, { 'X-Vault-Access-Token': 'unknown' }))).toMatchObject({
        status: 401,
        error: { code: 'AUTHENTICATION_ERROR' },
      });
  });
});

describe('STR-27 ENT-19 ENV-32: structured routes and entropy count on the account', () => {
  const limited = [...operations.filter(isStructured), generateEntropy];

  /** Calls up to the limit, and one beyond it. */
  async function exhaust(op: PublicOperation): Promise<{ statuses: number[]; refused: ApiResponse }> {
    const caller = newCaller(limitedUrl);
    const statuses: number[] = [];
    for (let i = 0; i < LIMIT; i += 1) {
      const vat: Record<string, string> = i === 0 ? {} : { 'X-Vault-Access-Token': 'good' };
      statuses.push((await caller.send(callOf(op, vat))).status);
    }
    return { statuses, refused: await caller.send(callOf(op)) };
  }

  it.each(titled(limited))(
    '$operation: beyond the limit a call is 429, whatever the calls before were answered',
    async ({ op }) => {
      // Retries with another account when the minute ended during the calls, or a late Redis refused one.
      const { statuses, refused } = await eventually(
        () => exhaust(op),
        ({ statuses: before, refused: { status } }) => status === 429 && !before.includes(429),
      );
      // The service is not running: 500, never 503 (TRAP 73).
      expect(statuses).toEqual([op === generateEntropy ? 500 : 400, 500, 500]);
      expect(refused.error).toMatchObject({
        code: 'RATE_LIMIT_EXCEEDED',
        details: { limit: LIMIT, used: LIMIT, resets_at: expect.any(Number) },
      });
      const seconds = Number(refused.headers['retry-after']);
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
    },
  );
});
