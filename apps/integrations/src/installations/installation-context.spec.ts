import { expect, it } from '@jest/globals';
import { contextOf } from './installation-context.js';
import type { Installation } from './installation.repository.js';

const installation = (userId: string | null): Installation => ({
  accountId: 'acc_1',
  appId: 'crma',
  generation: 1,
  settings: {},
  remoteId: '62515',
  remote: null,
  vaultId: 'vlt_1',
  installedAt: 0,
  isSuspended: false,
  installedBy: { userId, credentialId: 'key_1' },
});
const actor = { kind: 'app', id: 'crma', app: 'crma', portal: '62515', person: '4242' } as const;

it.each(['usr_1', null])(
  'OPEN-28 APP-25: an integration acts as a member of the account and is named as the actor, if %s has installed it',
  (userId) => {
    const { credential } = contextOf(installation(userId), 'req_1', 0, actor);
    expect(credential).toMatchObject({ accountId: 'acc_1', userId, role: 'member', actor });
  },
);
