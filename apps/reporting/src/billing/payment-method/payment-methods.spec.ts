import { describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  addPaymentMethod,
  deletePaymentMethod,
  listPaymentMethods,
  makeDefaultPaymentMethod,
  setUpPaymentMethod,
  type PaymentMethod,
} from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext } from '@vaultsvc/testing/harness';
import { usePlatform } from '../../testing/platform.js';
import { MethodDetacher } from './method-detacher.js';

const platform = usePlatform();

const add = (context: AccountContext, body: { label?: string; token?: string } = {}) =>
  platform.harness.bus.call(addPaymentMethod, { body }, context);
const paramsOf = ({ payment_method_id }: Pick<PaymentMethod, 'payment_method_id'>) => ({
  params: { payment_method_id },
});
const remove = (context: AccountContext, method: Pick<PaymentMethod, 'payment_method_id'>) =>
  platform.harness.bus.call(deletePaymentMethod, paramsOf(method), context);
const makeDefault = (context: AccountContext, method: Pick<PaymentMethod, 'payment_method_id'>) =>
  platform.harness.bus.call(makeDefaultPaymentMethod, paramsOf(method), context);
const list = async (context: AccountContext) =>
  (await platform.harness.bus.call(listPaymentMethods, {}, context)).payment_methods;
const NOT_FOUND = { reason: 'PAYMENT_METHOD_NOT_FOUND', status: 404 };

describe('BIL-03 BIL-05 BIL-06: payment methods with the manual provider', () => {
  it('are added with a label; the first one is the default', async () => {
    const context = accountContext();
    const first = await add(context, { label: 'PO 4711' });
    expect(first).toMatchObject({
      provider: 'manual',
      type: 'invoice',
      label: 'PO 4711',
      is_default: true,
      last4: null,
    });
    const second = await add(context);
    expect(second).toMatchObject({ label: null, is_default: false });
    expect(await list(context)).toEqual([first, second]);
  });

  it('show when they were added', async () => {
    const context = accountContext();
    const method = await add(context);
    const date = `UPDATE payment_methods SET created_at = to_timestamp(1700000000) WHERE id = $1`;
    await platform.sql(date, [method.payment_method_id]);
    expect(await list(context)).toEqual([{ ...method, created_at: 1_700_000_000 }]);
  });

  it('take no token', async () => {
    await expect(add(accountContext(), { token: 'pm_card_visa' })).rejects.toMatchObject({
      reason: 'VALIDATION_ERROR',
    });
  });

  it('have one default, which a call moves and its deletion hands to the newest other one', async () => {
    const context = accountContext();
    const [a, b, c] = [await add(context), await add(context), await add(context)];
    expect(await makeDefault(context, b)).toEqual({ ...b, is_default: true });
    expect((await list(context)).map(({ is_default }) => is_default)).toEqual([false, true, false]);
    await remove(context, b);
    expect(await list(context)).toEqual([
      { ...a, is_default: false },
      { ...c, is_default: true },
    ]);
    await makeDefault(context, a);
    await remove(context, await add(context));
    expect((await list(context)).map(({ is_default }) => is_default)).toEqual([true, false]);
    await remove(context, c);
    await remove(context, a);
    expect(await list(context)).toEqual([]);
    expect(await add(context)).toMatchObject({ is_default: true });
  });

  it('have one default after any number of concurrent calls', async () => {
    const context = accountContext();
    const methods = [await add(context), await add(context), await add(context)];
    await Promise.all([...methods, ...methods].map((method) => makeDefault(context, method)));
    expect((await list(context)).filter(({ is_default }) => is_default)).toHaveLength(1);
  });

  it('ENV-41: are not found in another account, or once they are deleted', async () => {
    const [context, other] = [accountContext(), accountContext()];
    const [method, kept] = [await add(context), await add(context)];
    const own = await add(other);
    for (const id of [method.payment_method_id, newId('pm_')]) {
      await expect(remove(other, { payment_method_id: id })).rejects.toMatchObject(NOT_FOUND);
      await expect(makeDefault(other, { payment_method_id: id })).rejects.toMatchObject(NOT_FOUND);
    }
    expect(await list(context)).toEqual([method, kept]);
    expect(await list(other)).toEqual([own]);
    await remove(context, method);
    await expect(remove(context, method)).rejects.toMatchObject(NOT_FOUND);
    await expect(makeDefault(context, method)).rejects.toMatchObject(NOT_FOUND);
    expect(await list(context)).toEqual([{ ...kept, is_default: true }]);
  });

  it('OPEN-31: leave those of another provider, which are deleted, to its jobs', async () => {
    const { payment_method_id: id } = await add(accountContext());
    const deleted = `UPDATE payment_methods SET provider = 'stripe', provider_ref = $2, status = 'detaching' WHERE id = $1`;
    await platform.sql(deleted, [id, newId('pm_')]);
    await platform.service.context.get(MethodDetacher).run();
    const left = await platform.sql(`SELECT status FROM payment_methods WHERE id = $1`, [id]);
    expect(left).toEqual([{ status: 'detaching' }]);
  });

  it('are 20 at most, also of concurrent calls', async () => {
    const context = accountContext();
    await Promise.allSettled(Array.from({ length: 30 }, () => add(context)));
    expect(await list(context)).toHaveLength(20);
    await expect(add(context)).rejects.toMatchObject({ reason: 'PAYMENT_METHODS_EXHAUSTED' });
  });

  it('BIL-04: need no set-up', async () => {
    expect(await platform.harness.bus.call(setUpPaymentMethod, {}, accountContext())).toEqual({
      provider: 'manual',
      client_secret: null,
      publishable_key: null,
    });
  });

  it('AMB-17: are read by a member, who changes none of them', async () => {
    const owner = accountContext();
    const method = await add(owner);
    const { accountId } = owner.credential;
    const member = accountContext({ accountId, role: 'member' });
    expect(await list(member)).toEqual([method]);
    const refused = [
      add(member),
      remove(member, method),
      makeDefault(member, method),
      platform.harness.bus.call(setUpPaymentMethod, {}, member),
    ];
    for (const call of refused) await expect(call).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
    expect(await list(owner)).toEqual([method]);
  });
});
