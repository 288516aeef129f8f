import { describe, expect, it } from '@jest/globals';
import { describeOwner } from '@vaultsvc/contracts/auth';
import { newId } from '@vaultsvc/crypto/encoding';
import { useHarness, useService } from '@vaultsvc/testing/fixtures';
import { internalContext, rowsOf } from '@vaultsvc/testing/harness';
import { newAccount } from '@vaultsvc/tools-testing/accounts';
import { auth } from '../service-definition.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
const service = useService(harness, auth);
const ownerOf = async (account_id: string) =>
  (await harness.bus.call(describeOwner, { body: { account_id } }, internalContext())).email;
const set = (userId: string, change: string) =>
  rowsOf(service, `UPDATE users SET ${change} WHERE id = $1`, [userId]);

describe('OPEN-25: the owner of an account', () => {
  it('is its owner, that of a first account also before the first sign-in, and no other user', async () => {
    const { accountId, userId, email } = await newAccount(service);
    expect(await ownerOf(accountId)).toBe(email);
    await set(userId, `status = 'invited'`);
    expect(await ownerOf(accountId)).toBeNull();
    await set(userId, `joins_at_sign_in = true`);
    expect(await ownerOf(accountId)).toBe(email);
    await set(userId, `role = 'admin'`);
    expect(await ownerOf(accountId)).toBeNull();
  });

  it('is unknown for an unknown account', async () => {
    expect(await ownerOf(newId('acc_'))).toBeNull();
  });
});
