import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode, type AccountContext } from '@vaultsvc/contracts';
import { AccountChange, deleteAccountLogo, readAccount, updateAccount } from '@vaultsvc/contracts/auth';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext, outboxEvents } from '@vaultsvc/testing/harness';
import { mintApiKey, newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'error' });
const service = useService(harness, auth);
let caller: AccountContext;

beforeAll(async () => {
  ({ context: caller } = await mintApiKey(service));
});

const read = (context = caller) => harness.bus.call(readAccount, {}, context);
const change = (body: AccountChange, context = caller) =>
  harness.bus.call(updateAccount, { body: { ...body } }, context);
const removeLogo = (context = caller) => harness.bus.call(deleteAccountLogo, {}, context);
const asUser = (accountId: string, userId: string, role: 'owner' | 'admin' | 'member') =>
  accountContext({ kind: 'session', accountId, userId, role });

const light = 'https://cdn.example.test/light.svg';
const dark = 'https://cdn.example.test/dark.svg?v=1';

const eventsOf = (accountId: string) =>
  outboxEvents(
    service,
    { account_id: accountId },
    { name: 'auth.account-changed', columns: ['account_id', 'request_id', 'payload'] },
  );

describe('ACC-01 OPEN-30: GET /v1/account', () => {
  it('answers the account to an API key and to a session of any role', async () => {
    const { accountId, userId } = await newAccount(service);
    const { context: key } = await mintApiKey(service, { accountId });
    const account = {
      account_id: accountId,
      organization_name: 'Test organization',
      status: 'active',
      logo_url_light: null,
      logo_url_dark: null,
      created_at: expect.any(Number),
    };
    expect(await read(key)).toEqual(account);
    expect(await read(asUser(accountId, userId, 'member'))).toEqual(account);
    expect(Math.abs((await read(key)).created_at - Date.now() / 1_000)).toBeLessThan(10);
  });
});

describe('ACC-02 OPEN-30: PUT /v1/account', () => {
  it('changes the given fields only, and GET reads them back', async () => {
    const { context } = await mintApiKey(service);
    expect(await change({ organization_name: 'Ørsted & Söhne 株式会社 🚀' }, context)).toMatchObject({
      organization_name: 'Ørsted & Söhne 株式会社 🚀',
      logo_url_light: null,
    });
    await change({ logo_url_light: light, logo_url_dark: dark }, context);
    const changed = await change({ logo_url_light: null }, context);
    expect(changed).toMatchObject({ logo_url_light: null, logo_url_dark: dark });
    expect(await read(context)).toEqual(changed);
  });

  it('normalizes the name to NFC and rejects a name that is too long in NFC', async () => {
    const decomposed = 'Cafe\u0301';
    expect((await change({ organization_name: decomposed })).organization_name).toBe('Caf\u00e9');
    expect((await change({ organization_name: '😀'.repeat(255) })).organization_name).toHaveLength(510);
    // U+0958 is two characters in NFC: 255 of them pass the schema and become 510.
    await expect(change({ organization_name: '\u0958'.repeat(255) })).rejects.toMatchObject({
      reason: 'VALIDATION_ERROR',
      details: { fields: [{ field: 'organization_name' }] },
    });
  });

  it('rejects a body without any field', async () => {
    await expect(change({})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it.each([
    { organization_name: '' },
    { organization_name: '  ' },
    { organization_name: null },
    { organization_name: 'x'.repeat(256) },
    { organization_name: 'a\u0000b' },
    { organization_name: '\u202egnp.exe' },
    { logo_url_light: 'http://cdn.example.test/a.png' },
    { logo_url_dark: 'javascript:alert(1)' },
    { logo_url_dark: 'https://user:password@example.test/a.png' },
    { logo_url_light: `https://example.test/${'x'.repeat(2_048)}` },
    { logo_url_light: 5 },
  ])('rejects %j', (raw) => {
    expect(() => decode(AccountChange, raw)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('loses no update when twenty changes of one account run concurrently', async () => {
    const { context } = await mintApiKey(service);
    const changes: AccountChange[] = [
      { organization_name: 'Race' },
      { logo_url_light: light },
      { logo_url_dark: dark },
    ];
    await Promise.all(Array.from({ length: 20 }, (_, i) => change(changes[i % 3] as AccountChange, context)));
    expect(await read(context)).toMatchObject({
      organization_name: 'Race',
      logo_url_light: light,
      logo_url_dark: dark,
    });
  });

  it('records an event with the ids of account and actor only', async () => {
    const { accountId, userId } = await newAccount(service);
    const owner = asUser(accountId, userId, 'owner');
    await change({ organization_name: 'Not in the trail' }, owner);
    expect(await eventsOf(accountId)).toEqual([
      {
        account_id: accountId,
        request_id: owner.requestId,
        payload: { account_id: accountId, actor_id: userId },
      },
    ]);
  });
});

describe('ACC-03: DELETE /v1/account/logo', () => {
  it('removes both logos, succeeds when repeated, and records one event', async () => {
    const { context, accountId } = await mintApiKey(service);
    await change({ logo_url_light: light, logo_url_dark: dark }, context);
    expect(await removeLogo(context)).toEqual({ deleted: true });
    expect(await read(context)).toMatchObject({ logo_url_light: null, logo_url_dark: null });
    expect(await removeLogo(context)).toEqual({ deleted: true });
    expect(await eventsOf(accountId)).toHaveLength(2);
  });
});

describe('AUTH-34: changing the account', () => {
  it('is refused to members with 403 and leaves the account unchanged', async () => {
    const { accountId, userId } = await newAccount(service);
    const member = asUser(accountId, userId, 'member');
    const refusal = { code: 'FORBIDDEN', reason: 'ROLE_REQUIRED' };
    await expect(change({ organization_name: 'Mine' }, member)).rejects.toMatchObject(refusal);
    await expect(removeLogo(member)).rejects.toMatchObject(refusal);
    expect(await read(member)).toMatchObject({ organization_name: 'Test organization' });
    expect(await eventsOf(accountId)).toEqual([]);
  });

  it('affects the account of the caller only', async () => {
    const [one, other] = [await mintApiKey(service), await mintApiKey(service)];
    await change({ organization_name: 'One' }, one.context);
    expect((await read(other.context)).organization_name).toBe('Test organization');
  });
});
