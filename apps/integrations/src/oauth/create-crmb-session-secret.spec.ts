import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  connectCrma,
  connectCrmb,
  createCrmbSessionSecret,
  CrmAuthorization,
  disconnectCrmb,
  installApp,
  NewInstallation,
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

async function authorization(code: string, context: AccountContext): Promise<CrmAuthorization> {
  const { vault_id } = await platform.newVault(context);
  const redirect_uri = 'https://app.example.com/callback';
  return Object.assign(new CrmAuthorization(), { code, redirect_uri, vault_id });
}
const newCode = () => `local-ok-${newId('code_')}`;
const connect = async (code = newCode(), context = caller) =>
  platform.harness.bus.call(connectCrmb, { body: await authorization(code, context) }, context);
const disconnect = () => platform.harness.bus.call(disconnectCrmb, {}, caller);
const next = (context = caller) => platform.harness.bus.call(createCrmbSessionSecret, {}, context);
const candidates = async (orgId: string) =>
  (await platform.service.context.get(CrmbSessionSecrets).candidates(orgId)).map((one) => one.reveal());
/** As connections of earlier releases are: without a secret of their own. */
const forget = (generation: number) =>
  platform.sql(`DELETE FROM crmb_session_secrets WHERE account_id = $1 AND generation = $2`, [
    caller.credential.accountId,
    generation,
  ]);
/** The rows of the account: their generation, and the hours that they still hold; null: without an end. */
const rows = () =>
  platform.sql(
    `SELECT generation, round(extract(epoch FROM ends_at - now()) / 3600)::integer AS hours
       FROM crmb_session_secrets WHERE account_id = $1 ORDER BY ends_at`,
    [caller.credential.accountId],
  );
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
    const code = newCode();
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
    await forget(1);
    expect(await candidates(org_id)).toEqual([COMMON]);
    const { session_secret } = await next();
    expect(await candidates(org_id)).toEqual([session_secret, COMMON]);
    await platform.sql(`UPDATE crmb_session_secrets SET ends_at = now() WHERE ends_at IS NOT NULL`);
    expect(await candidates(org_id)).toEqual([session_secret]);
    const third = await next();
    expect(await candidates(org_id)).toEqual([third.session_secret, session_secret]);
  });

  it('is the common one, too, for an org that an earlier release has connected again', async () => {
    const code = newCode();
    const { org_id } = await connect(code);
    await disconnect();
    await connect(code);
    await forget(2);
    const { session_secret } = await next();
    expect(await candidates(org_id)).toEqual([session_secret, COMMON]);
  });

  it('ends 24 hours after its first successor, however many follow', async () => {
    await connect();
    await next();
    await platform.sql(
      `UPDATE crmb_session_secrets SET ends_at = now() + interval '1 hour' WHERE ends_at IS NOT NULL`,
    );
    await next();
    expect(await rows()).toEqual([1, 24, null].map((hours) => ({ generation: 1, hours })));
  });

  it('ends with its connection, and is deleted with the next successor', async () => {
    const code = newCode();
    const { org_id, session_secret } = await connect(code);
    await disconnect();
    expect(await candidates(org_id)).not.toContain(session_secret);
    const again = await connect(code);
    expect(again.org_id).toBe(org_id);
    expect(again.session_secret).not.toBe(session_secret);
    expect(await candidates(org_id)).toEqual([again.session_secret]);
    await next();
    expect(await rows()).toEqual([24, null].map((hours) => ({ generation: 2, hours })));
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
    await platform.harness.bus.call(connectCrma, { body: await authorization(newCode(), caller) }, caller);
    expect(await reasonOf(next())).toBe('APP_NOT_INSTALLED');
    const bare = { params: { app_id: 'crmb' }, body: new NewInstallation() };
    await platform.harness.bus.call(installApp, bare, caller);
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
