import { beforeAll, describe, expect, it } from '@jest/globals';
import { readLinkPolicy, updateSettings } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, internalContext, rowsOf } from '@vaultsvc/testing/harness';
import { newAccount, type TestAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, auth);
let own: TestAccount;

beforeAll(async () => {
  own = await newAccount(service);
});

const policy = (account_id = own.accountId) =>
  harness.bus.call(readLinkPolicy, { body: { account_id } }, internalContext());
const change = (settings: Record<string, unknown>) =>
  harness.bus.call(updateSettings, { body: { settings } }, accountContext(own));
const set = (links_ask_first: unknown) => change({ links_ask_first });

describe('OPEN-23: the link policy of an account', () => {
  it('asks for no click and shows no organization by default, but contains its name', async () => {
    const [row] = await rowsOf<{ name: string }>(
      service,
      `SELECT organization_name AS name FROM accounts WHERE id = $1`,
      [own.accountId],
    );
    expect(await policy()).toEqual({
      asks_first: false,
      shows_organization: false,
      organization_name: row?.name,
    });
    expect(row?.name).not.toBe('');
  });

  it('asks for a click first while the setting links_ask_first is true', async () => {
    await set(true);
    expect(await policy()).toMatchObject({ asks_first: true });
    await set(false);
    expect(await policy()).toMatchObject({ asks_first: false });
  });

  it.each(['true', 1, [true], { a: true }, null])('asks for no click if the setting is %j', async (value) => {
    await set(value);
    expect(await policy()).toMatchObject({ asks_first: false });
  });

  it('shows the organization only while the setting links_show_organization is true', async () => {
    await change({ links_show_organization: true });
    expect(await policy()).toMatchObject({ asks_first: false, shows_organization: true });
    for (const value of [false, 'true', 1, null]) {
      await change({ links_show_organization: value });
      expect(await policy()).toMatchObject({ shows_organization: false });
    }
  });

  it('asks for no click and shows nothing if the account is unknown', async () => {
    expect(await policy(newId('acc_'))).toEqual({
      asks_first: false,
      shows_organization: false,
      organization_name: '',
    });
  });
});
