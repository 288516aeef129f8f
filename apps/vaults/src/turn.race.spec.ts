import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext, Delivery } from '@vaultsvc/contracts';
import type { LinkAction } from '@vaultsvc/contracts/sparks';
import { createDvak, deleteVault, revokeDvak, sealVault, updateVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { accountContext, lockWaiters, reasonOf } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { randomUUID } from 'node:crypto';
import { RevocationRepository } from './dvak/revocation.repository.js';
import { FolderTree } from './folder/folder-tree.js';
import { OnLinks } from './link/on-links.consumer.js';
import { SessionRepository } from './session/session.repository.js';
import { startPlatform, type Platform } from './testing/platform.js';
import { VaultCounters } from './version/vault-counters.repository.js';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ LOG_LEVEL: 'silent' });
});
afterAll(() => platform.harness.stop());

/** A vault, opened with a delegated key. */
interface Opened {
  readonly vault_id: string;
  readonly vmk: string;
  readonly last4: string;
  readonly vatId: string;
  readonly caller: AccountContext;
}

async function open(): Promise<Opened> {
  const caller = accountContext();
  const { vault_id, vmk } = await platform.newVault(caller);
  const body = { vmk, dvak_type: 'nhi', nhi_description: 'robot' } as const;
  const { dvak_token, last_4_chars } = await platform.call(
    createDvak,
    { params: { vault_id }, body },
    caller,
  );
  await platform.unseal(vault_id, { dvak_token }, caller);
  const [session] = await platform.sql<{ id: string }>(`SELECT id FROM vault_sessions WHERE vault_id = $1`, [
    vault_id,
  ]);
  return { vault_id, vmk, last4: last_4_chars, vatId: session?.id as string, caller };
}

/** Somebody at work through the token of a vault: from when it is held until it is told to end. */
function use({ vault_id: vaultId, vatId, caller }: Opened) {
  const { context } = platform.service;
  const turn = { isHeld: false, end: () => undefined as void };
  const ended = new Promise<void>((resolve) => (turn.end = resolve));
  const outcome = context.get(Database).transaction(async (tx) => {
    await context.get(SessionRepository).hold(tx, vatId, {
      vaultId,
      accountId: caller.credential.accountId,
    });
    turn.isHeld = true;
    await ended;
  });
  return Object.assign(turn, { outcome: reasonOf(outcome) });
}

const waiting = () => lockWaiters(platform.service);

const counted = ({ vault_id }: Opened) => {
  const { context } = platform.service;
  return context.get(Database).transaction(async (tx) => {
    await context.get(VaultCounters).hold(tx, [vault_id]);
  });
};

/** The user whose key it was made leaves the account. */
async function leave({ vault_id, caller }: Opened): Promise<void> {
  const { context } = platform.service;
  const user = { account_id: caller.credential.accountId, user_id: newId('usr_') };
  await platform.sql(`UPDATE dvaks SET dvak_type = 'user', authorized_user_id = $2 WHERE vault_id = $1`, [
    vault_id,
    user.user_id,
  ]);
  const revocations = context.get(RevocationRepository);
  await context.get(Database).transaction(async (tx) => {
    await revocations.takeTurns(tx, [user]);
    await revocations.revokeOfUser(tx, user);
  });
}

describe('whoever wants a vault for itself', () => {
  it.each<[string, (opened: Opened) => Promise<unknown>, string]>([
    [
      'VLT-22: a seal',
      ({ vault_id, caller }) => platform.call(sealVault, { params: { vault_id } }, caller),
      'AUTHENTICATION_ERROR',
    ],
    [
      'DVK-19: the revocation of the key',
      ({ vault_id, last4, caller }) => platform.call(revokeDvak, { params: { vault_id, last4 } }, caller),
      'AUTHENTICATION_ERROR',
    ],
    [
      'VLT-23: the deletion',
      ({ vault_id, caller }) => platform.call(deleteVault, { params: { vault_id } }, caller),
      'VAULT_NOT_FOUND',
    ],
    [
      'VLT-21: an unsealing',
      ({ vault_id, vmk, caller }) => platform.unseal(vault_id, { vmk }, caller),
      'none',
    ],
    [
      'VLT-11: a new name',
      ({ vault_id, caller }) =>
        platform.call(updateVault, { params: { vault_id }, body: { name: `new ${vault_id}` } }, caller),
      'none',
    ],
    ['AUTH-34: the leaving of its user', leave, 'AUTHENTICATION_ERROR'],
    ['VLT-25: a count of what it holds', counted, 'none'],
  ])('%s comes before those who came after it, however many use its tokens', async (_, act, afterwards) => {
    const opened = await open();
    const first = use(opened);
    await until(async () => first.isHeld);
    const acted = act(opened);
    await until(async () => (await waiting()) === 1);
    const second = use(opened);
    await until(async () => second.isHeld || (await waiting()) === 2);
    first.end();
    expect(await reasonOf(acted)).toBe('none');
    second.end();
    expect([await first.outcome, await second.outcome]).toEqual(['none', afterwards]);
  });
});

/** Keeps a vault from everybody while something is done, and gives what that gives. */
async function whileAlone<T>({ vault_id }: Opened, work: () => Promise<T>): Promise<T> {
  const { context } = platform.service;
  return context.get(Database).transaction(async (tx) => {
    await context.get(VaultCounters).hold(tx, [vault_id]);
    return work();
  });
}

describe('whoever ends several tokens at once', () => {
  it.each<[string, (opened: Opened) => Promise<unknown>]>([
    [
      'DVK-19: the revocation of a key',
      ({ vault_id, last4, caller }) => platform.call(revokeDvak, { params: { vault_id, last4 } }, caller),
    ],
    ['AUTH-34: the leaving of a user', leave],
  ])(
    '%s waits for a seal of the vault before it ends the first, or each would have what the other wants',
    async (_, act) => {
      const opened = await open();
      const ended = await whileAlone(opened, async () => {
        const begun = reasonOf(act(opened));
        await until(async () => (await waiting()) === 1);
        return { begun };
      });
      expect(await ended.begun).toBe('none');
    },
  );
});

describe('whoever changes several ingots at once', () => {
  it('VLT-25: an end of links waits for what counts in the vault before it takes the first ingot', async () => {
    const opened = await open();
    const { vault_id, caller } = opened;
    const { context } = platform.service;
    const action = { link_type: 'ingot', actor_type: 'system', actor_id: null } as const;
    const ids = { account_id: caller.credential.accountId, vault_id, asset_id: newId('ing_') };
    const delivery = { requestId: null, payload: { ...action, ...ids, link_id: randomUUID() } };
    const ended = await whileAlone(opened, async () => {
      const deleted = context
        .get(Database)
        .transaction((tx) => context.get(OnLinks).deleted([delivery as Delivery<LinkAction>], tx));
      const begun = reasonOf(deleted);
      await until(async () => (await waiting()) === 1);
      return { begun };
    });
    expect(await ended.begun).toBe('none');
  });
});

describe('ENV-41: who names the vault of another account', () => {
  const strange: [string, (vault_id: string, stranger: AccountContext) => Promise<unknown>][] = [
    ['a seal', (vault_id, stranger) => platform.call(sealVault, { params: { vault_id } }, stranger)],
    ['a deletion', (vault_id, stranger) => platform.call(deleteVault, { params: { vault_id } }, stranger)],
    [
      'a new name',
      (vault_id, stranger) =>
        platform.call(updateVault, { params: { vault_id }, body: { name: newId('name_') } }, stranger),
    ],
    [
      'a folder',
      (vaultId, { credential }) => {
        const { context } = platform.service;
        const vault = { vaultId, accountId: credential.accountId };
        return context.get(Database).transaction((tx) => context.get(FolderTree).hold(tx, vault));
      },
    ],
    [
      'the use of a token',
      (vaultId, { credential }) => {
        const { context } = platform.service;
        const vault = { vaultId, accountId: credential.accountId };
        return context
          .get(Database)
          .transaction((tx) => context.get(SessionRepository).hold(tx, newId('vts_'), vault));
      },
    ],
  ];

  it.each(strange)('takes no turn at it, and waits for nobody of it: %s', async (_, act) => {
    const opened = await open();
    const { vault_id, caller } = opened;
    const { begun, outcome } = await whileAlone(opened, async () => {
      const renamed = Array.from({ length: 6 }, (_, i) =>
        reasonOf(platform.call(updateVault, { params: { vault_id }, body: { description: `${i}` } }, caller)),
      );
      await until(async () => (await waiting()) >= 3);
      return { begun: renamed, outcome: await reasonOf(act(vault_id, accountContext())) };
    });
    expect(outcome).toBe('VAULT_NOT_FOUND');
    expect(await Promise.all(begun)).toEqual(Array(6).fill('none'));
  });
});
