import { describe, expect, it } from '@jest/globals';
import { decode, type AccountContext } from '@vaultsvc/contracts';
import { AccountSettings, readSettings, SETTINGS_BYTES_MAX, updateSettings } from '@vaultsvc/contracts/auth';
import { Database, statement } from '@vaultsvc/database';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { mintApiKey, newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'error' });
const service = useService(harness, auth);

const newCaller = async () => (await mintApiKey(service)).context;
const read = async (context: AccountContext) => (await harness.bus.call(readSettings, {}, context)).settings;
const merge = async (settings: Record<string, unknown>, context: AccountContext) =>
  (await harness.bus.call(updateSettings, { body: { settings } }, context)).settings;

const TOO_MUCH = { code: 'VALIDATION_ERROR', details: { fields: [{ field: 'settings' }] } };
/** Settings of one key with exactly this many bytes of JSON. */
const ofBytes = (bytes: number, key = 'k') => ({ [key]: 'x'.repeat(bytes - `{"${key}":""}`.length) });

describe('OPEN-33 OPEN-57: settings of the account', () => {
  it('are empty at first, and read back as written', async () => {
    const caller = await newCaller();
    expect(await read(caller)).toEqual({});
    const settings = {
      theme: 'dark',
      limits: { a: 1.5, b: [true, null, 'é🚀'] },
      ключ: '',
      '': 0,
      'quote"\\': '\u2028',
    };
    expect(await merge(settings, caller)).toEqual(settings);
    expect(await read(caller)).toEqual(settings);
  });

  it('are merged by key: a value is replaced whole, null removes its key, other keys stay', async () => {
    const caller = await newCaller();
    await merge({ kept: 1, replaced: { a: 1 }, removed: 1 }, caller);
    expect(await merge({ replaced: { b: null }, removed: null, absent: null }, caller)).toEqual({
      kept: 1,
      replaced: { b: null },
    });
    expect(await merge({}, caller)).toEqual({ kept: 1, replaced: { b: null } });
  });

  it('accept __proto__ and constructor as ordinary keys', async () => {
    const caller = await newCaller();
    const text = '{"__proto__":{"admin":true},"constructor":{"prototype":1},"hasOwnProperty":1}';
    const body = { settings: JSON.parse(text) as Record<string, unknown> };
    decode(AccountSettings, body);
    await merge(body.settings, caller);
    const settings = await read(caller);
    expect(Object.keys(settings).sort()).toEqual(['__proto__', 'constructor', 'hasOwnProperty']);
    expect(Object.getPrototypeOf(settings)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(settings, '__proto__')?.value).toEqual({ admin: true });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
    const removal = JSON.parse('{"__proto__":null,"constructor":null}') as Record<string, unknown>;
    expect(await merge(removal, caller)).toEqual({ hasOwnProperty: 1 });
  });

  it('lose no key when fifty merges run concurrently', async () => {
    const caller = await newCaller();
    await Promise.all(Array.from({ length: 50 }, (_, i) => merge({ [`key${i}`]: i }, caller)));
    expect(Object.keys(await read(caller))).toHaveLength(50);
  });

  it('belong to one account', async () => {
    const [one, other] = [await newCaller(), await newCaller()];
    await merge({ a: 1 }, one);
    expect(await read(other)).toEqual({});
  });
});

describe('OPEN-33: the limits of settings', () => {
  it('allow 65,536 bytes of JSON in total, and a merge beyond them changes nothing', async () => {
    const caller = await newCaller();
    const most = ofBytes(SETTINGS_BYTES_MAX);
    expect(await merge(most, caller)).toEqual(most);
    await expect(merge({ b: '' }, caller)).rejects.toMatchObject(TOO_MUCH);
    expect(await read(caller)).toEqual(most);
    expect(await merge({ b: '', k: null }, caller)).toEqual({ b: '' });
  });

  it('count bytes, not characters', async () => {
    const caller = await newCaller();
    await merge({ a: 'é'.repeat(20_000) }, caller);
    await expect(merge({ b: 'é'.repeat(20_000) }, caller)).rejects.toMatchObject(TOO_MUCH);
  });

  it('refuse one of two concurrent merges that fit alone but not together', async () => {
    const caller = await newCaller();
    const halves = [ofBytes(40_000, 'a'), ofBytes(40_000, 'b')];
    const outcomes = await Promise.allSettled(halves.map((half) => merge(half, caller)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(Object.keys(await read(caller))).toHaveLength(1);
  });

  it.each([
    ['an array', '[]'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['a NUL in a value', '{"a":"\\u0000"}'],
    ['a NUL in a key', '{"\\u0000":1}'],
    ['half a surrogate pair', '{"a":"\\ud800"}'],
    ['six levels of nesting', '{"a":{"b":{"c":{"d":{"e":{}}}}}}'],
    ['a number that JSON cannot represent', '{"a":1e999}'],
    ['such a number in a nested value', '{"a":[{"b":-1e999}]}'],
    ['one byte too many', JSON.stringify(ofBytes(SETTINGS_BYTES_MAX + 1))],
  ])('reject %s', (_, json) => {
    const raw = { settings: JSON.parse(json) as unknown };
    expect(() => decode(AccountSettings, raw)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('allow five levels of nesting and the extreme numbers, unchanged', async () => {
    const caller = await newCaller();
    const settings = { a: { b: { c: { d: [1.7976931348623157e308, 5e-324, -0.1, 9007199254740991] } } } };
    decode(AccountSettings, { settings });
    expect(await merge(settings, caller)).toEqual(settings);
  });
});

describe('AUTH-34: changing settings', () => {
  it('is refused to members, and recorded with its actor and without the values', async () => {
    const { accountId, userId } = await newAccount(service);
    const as = (role: 'owner' | 'member') => accountContext({ kind: 'session', accountId, userId, role });
    await expect(merge({ a: 1 }, as('member'))).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
    await merge({ hidden: 'value' }, as('owner'));
    expect(await read(as('member'))).toEqual({ hidden: 'value' });
    const events = statement(
      'test.settings-events',
      `SELECT payload FROM recorded_events WHERE name = 'auth.settings-changed' AND account_id = $1`,
    );
    expect(await service.context.get(Database).query(events, [accountId])).toEqual([
      { payload: { account_id: accountId, actor_id: userId } },
    ]);
  });
});
