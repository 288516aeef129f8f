import { describe, expect, it } from '@jest/globals';
import { changeSeats } from '@vaultsvc/contracts/reporting';
import { newCustomer, type Customer } from '../../testing/billing.js';
import { usePlatform } from '../../testing/platform.js';

const platform = usePlatform({ IDENTITY_POOL_SEATS: '3' });

const changeSeatsOf = ({ context }: Customer, body: { add?: number; set?: number }) =>
  platform.harness.bus.call(changeSeats, { body }, context);

describe('BIL-12 OPEN-65: seats in bulk', () => {
  it('are added to those bought before, or set', async () => {
    const customer = newCustomer(platform);
    expect(await changeSeatsOf(customer, { add: 20 })).toMatchObject({ subscription: { seats: 20 } });
    expect(await changeSeatsOf(customer, { add: 5 })).toMatchObject({
      subscription: { seats: 25, allowance: { seats: 28 } },
    });
    expect(await changeSeatsOf(customer, { set: 4 })).toMatchObject({ subscription: { seats: 4 } });
    await platform.waitForSnapshot(customer.accountId, ({ identity }) => identity.limit === 7);
  });

  it('need exactly one of the two, and stay within the limit', async () => {
    const customer = newCustomer(platform);
    const reason = 'VALIDATION_ERROR';
    await expect(changeSeatsOf(customer, {})).rejects.toMatchObject({ reason });
    await expect(changeSeatsOf(customer, { add: 1, set: 1 })).rejects.toMatchObject({ reason });
    await changeSeatsOf(customer, { set: 9_999 });
    await expect(changeSeatsOf(customer, { add: 2 })).rejects.toMatchObject({ reason });
  });

  it('are never added twice for one call: concurrent calls add up or fail', async () => {
    const customer = newCustomer(platform);
    await customer.subscription();
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, () => changeSeatsOf(customer, { add: 10 })),
    );
    const added = all.filter(({ status }) => status === 'fulfilled').length;
    expect(await customer.subscription()).toMatchObject({ seats: 10 * added, version: 1 + added });
  });

  it('AMB-17: are not changed by a member', async () => {
    const member = newCustomer(platform, { role: 'member' });
    await expect(changeSeatsOf(member, { add: 1 })).rejects.toMatchObject({ reason: 'ROLE_REQUIRED' });
  });
});
