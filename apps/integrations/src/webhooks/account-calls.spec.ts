import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { RateLimitExceeded, RedisConnection } from '@vaultsvc/limits';
import { useHarness } from '@vaultsvc/testing/fixtures';
import type { RunningService } from '@vaultsvc/service';
import { integrations } from '../service-definition.js';
import { AccountCalls } from './account-calls.js';

const LIMIT = 5;
const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
beforeAll(async () => {
  service = await harness.start(integrations, { RATE_LIMIT_PER_MINUTE: String(LIMIT) });
});

/** What a count of one more call ends with; undefined: it is within the limit. */
const count = (accountId: string) =>
  service.context
    .get(AccountCalls)
    .count(accountId)
    .then(
      () => undefined,
      (error: unknown) => error,
    );

describe('OPEN-10: verified requests of providers', () => {
  it('are refused above the limit of their account, and of no other', async () => {
    const [one, other] = [newId('acc_'), newId('acc_')];
    const answers: unknown[] = [];
    // A minute may end meanwhile, and a new window begin.
    for (let call = 0; call < 2 * LIMIT + 1; call++) answers.push(await count(one));
    const refusals = answers.filter((answer) => answer !== undefined);
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(RateLimitExceeded);
      expect((refusal as RateLimitExceeded).details).toMatchObject({ limit: LIMIT, used: LIMIT });
    }
    expect(answers.slice(0, LIMIT)).toEqual(Array(LIMIT).fill(undefined));
    expect(await count(other)).toBeUndefined();
  });

  it('AMB-02: are refused while Redis cannot count them', async () => {
    service.context.get(RedisConnection).close();
    expect(await count(newId('acc_'))).toBeInstanceOf(RateLimitExceeded);
  });
});
