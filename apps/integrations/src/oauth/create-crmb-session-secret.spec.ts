import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  connectCrmb,
  createCrmbSessionSecret,
  CrmAuthorization,
  disconnectCrmb,
} from '@vaultsvc/contracts/integrations';
import { newId } from '@vaultsvc/crypto/encoding';
import { formsOf, heldOnDisk } from '@vaultsvc/testing/servers';
import { outboxEvents, reasonOf } from '@vaultsvc/testing/harness';
import { useIntegrations } from '../testing/integrations-platform.js';
import { CrmbSessionSecrets } from '../crm/crmb-session-secrets.js';

const COMMON = 'session secret of 32 bytes at least';
const platform = useIntegrations();
let caller: AccountContext;
beforeEach(async () => {
  caller = await platform.newCaller();
});

async function connect(code = `local-ok-${newId('code_')}`, context = caller) {
  const { vault_id } = await platform.newVault(context);
  const body = Object.assign(new CrmAuthorization(), {
    code,
    redirect_uri: 'https://app.example.com/callback',
    vault_id,
  });
  return platform.harness.bus.call(connectCrmb, { body }, context);
}
const next = (context = caller) => platform.harness.bus.call(createCrmbSessionSecret, {}, context);
const candidates = async (orgId: string) =>
  (await platform.service.context.get(CrmbSessionSecrets).candidates(orgId)).map((one) => one.reveal());
/** As connections of earlier releases are: without a secret of their own. */
const forget = () =>
  platform.sql(`DELETE FROM crmb_session_secrets WHERE account_id = $1`, [caller.credential.accountId]);
const day = 24 * 3_600;

describe('OPEN-38: the session secret of an org of crmb', () => {
  it('is answered once by the callback, and is not that of another org or the common one', async () => {
    const { org_id, session_secret } = await connect();
    expect(session_secret).toMatch(/^[\w-]{43}$/);
    expect(await candidates(org_id)).toEqual([session_secret]);
    const other = await connect(undefined, await platform.newCaller());
    expect(other.session_secret).not.toBe(session_secret);
    expect(await candidates(other.org_id)).toEqual([other.session_secret]);
  });

  it('stays when the org is connected again in place', async () => {
    const code = `local-ok-${newId('code_')}`;
    const { org_id, session_secret } = await connect(code);
    expect(await connect(code)).not.toHaveProperty('session_secret');
    expect(await candidates(org_id)).toEqual([session_secret]);
  });

  it('is followed by the next one; both hold for 24 hours', async () => {
    const { org_id, session_secret } = await connect();
    const second = await next();
    expect(second).toMatchObject({ org_id, session_secret: expect.stringMatching(/^[\w-]{43}$/) });
    expect(Math.abs(second.former_ends_at - (Date.now() / 1_000 + day))).toBeLessThan(60);
    expect(await candidates(org_id)).toEqual([second.session_secret, session_secret]);
    await platform.sql(
      `UPDATE crmb_session_secrets SET ends_at = now() WHERE account_id = $1 AND ends_at IS NOT NULL`,
      [caller.credential.accountId],
    );
    expect(await candidates(org_id)).toEqual([second.session_secret]);
  });

  it('is the common one for an org that was connected before, until 24 hours after it has made its own', async () => {
    const { org_id } = await connect();
    await forget();
    expect(await candidates(org_id)).toEqual([COMMON]);
    const { session_secret } = await next();
    expect(await candidates(org_id)).toEqual([session_secret, COMMON]);
    await platform.sql(`UPDATE crmb_session_secrets SET ends_at = now() WHERE ends_at IS NOT NULL`);
    expect(await candidates(org_id)).toEqual([session_secret]);
    const third = await next();
    expect(await candidates(org_id)).toEqual([third.session_secret, session_secret]);
  });

  it('ends with its connection', async () => {
    const code = `local-ok-${newId('code_')}`;
    const { org_id, session_secret } = await connect(code);
    await platform.harness.bus.call(disconnectCrmb, {}, caller);
    const again = await connect(code);
    expect(again.org_id).toBe(org_id);
    expect(again.session_secret).not.toBe(session_secret);
    expect(await candidates(org_id)).toEqual([again.session_secret]);
  });

  it('has one successor for each of several calls at once, all of which hold', async () => {
    const { org_id } = await connect();
    const made = await Promise.all([next(), next(), next()]);
    expect(await candidates(org_id)).toEqual(
      expect.arrayContaining(made.map(({ session_secret }) => session_secret)),
    );
  });

  it('needs a connection and an admin, and is recorded', async () => {
    expect(await reasonOf(next())).toBe('APP_NOT_INSTALLED');
    await connect();
    const member = { ...caller, credential: { ...caller.credential, role: 'member' as const } };
    expect(await reasonOf(next(member))).toBe('ROLE_REQUIRED');
    await next();
    const { accountId: account_id, userId } = caller.credential;
    const events = await outboxEvents(platform.service, { account_id }, { columns: ['name', 'payload'] });
    expect(events.at(-1)).toEqual({
      name: 'integrations.app-updated',
      payload: { account_id, app_id: 'crmb', actor_id: userId },
    });
  });

  it('MISC-03: is stored sealed only', async () => {
    const { org_id } = await connect();
    const { session_secret } = await next();
    expect(await heldOnDisk(formsOf(session_secret))).toEqual([]);
    expect(await heldOnDisk([org_id])).toEqual([org_id]);
  });
});
