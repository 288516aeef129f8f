import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppError } from '@vaultsvc/contracts';
import { openPanel } from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { RateLimitExceeded, RedisConnection } from '@vaultsvc/limits';
import { useHarness } from '@vaultsvc/testing/fixtures';
import type { RunningService } from '@vaultsvc/service';
import { internalContext, reasonOf, rowsOf } from '@vaultsvc/testing/harness';
import { PanelRepository } from '../crm/panel/panel.repository.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { integrations } from '../service-definition.js';
import { AccountCalls } from './account-calls.js';
import { PanelGuard } from './panel-guard.js';

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

const record = { object_type: 'contact', record_id: '1' };
/** A ticket of a panel, and the account of its installation for this portal. */
async function newTicket(portalId: string): Promise<{ accountId: string; ticket: string }> {
  const accountId = newId('acc_');
  await rowsOf(
    service,
    `INSERT INTO installations (account_id, app_id, status, settings, remote_id, vault_id, installed_by_credential_id)
     VALUES ($1, 'crma', 'active', '{}', $2, $3, 'key_1')`,
    [accountId, portalId, newId('vlt_')],
  );
  const [installation] = await service.context.get(InstallationRepository).list(accountId);
  const caller = { installation, userId: '101' } as never;
  return { accountId, ticket: await service.context.get(PanelRepository).issue(caller, record) };
}
/** Has the guard judge a request that trades a ticket. */
const openedBy = (ticket: string) =>
  service.context.get(PanelGuard).admit({
    op: openPanel,
    params: { app_id: 'crma' },
    raw: Buffer.alloc(0),
    context: {
      ...internalContext(),
      signedRequest: { target: '', headers: { authorization: `Bearer ${ticket}` } },
    },
  });

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

  it('OPEN-10: of a portal that is not connected are refused above a limit of its own, and of no other portal', async () => {
    const refusalOf = (portalId: string) =>
      service.context
        .get(AccountCalls)
        .refuse('crma', portalId)
        .catch((error: AppError) => error.reason);
    const answers: unknown[] = [];
    for (let call = 0; call < 2 * LIMIT + 1; call++) answers.push(await refusalOf('1'));
    expect(answers.slice(0, LIMIT)).toEqual(Array(LIMIT).fill('VERIFIED_REQUEST_REFUSED'));
    expect(answers).toContain('RATE_LIMIT_EXCEEDED');
    expect(await refusalOf('2')).toBe('VERIFIED_REQUEST_REFUSED');
  });

  it('OPEN-66: of a panel are refused while its installation is suspended', async () => {
    const { accountId, ticket } = await newTicket('1');
    const setSuspended = (isSuspended: boolean) =>
      rowsOf(service, `UPDATE installations SET is_suspended = $2 WHERE account_id = $1`, [
        accountId,
        isSuspended,
      ]);
    await setSuspended(true);
    expect(await reasonOf(openedBy(ticket))).toBe('APP_SUSPENDED');
    await setSuspended(false);
    expect(await reasonOf(openedBy(ticket))).toBe('none');
  });

  it('AMB-02 OPEN-66: are refused while Redis cannot count them, and a ticket is then still good', async () => {
    const { accountId, ticket } = await newTicket('2');
    service.context.get(RedisConnection).close();
    const unavailable = { code: 'RATE_LIMIT_EXCEEDED', reason: 'LIMITER_UNAVAILABLE', details: undefined };
    expect(await count(accountId)).toMatchObject(unavailable);
    await expect(openedBy(ticket)).rejects.toMatchObject(unavailable);
    expect(await service.context.get(PanelRepository).findTicket('crma', ticket)).toMatchObject({ record });
  });
});
