import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountContext, type Delivery } from '@vaultsvc/contracts';
import type { LinkAccess, LinkAction } from '@vaultsvc/contracts/sparks';
import {
  createDvak,
  deleteVault,
  endLink,
  revokeDvak,
  sealVault,
  updateVault,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import {
  accountContext,
  internalContext,
  lockWaiters,
  reasonOf,
  stopSchedule,
} from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { randomUUID } from 'node:crypto';
import { RevocationRepository } from '../dvak/revocation.repository.js';
import { FolderTree } from '../folder/folder-tree.js';
import { OnLinks } from '../link/on-links.consumer.js';
import { SessionRepository } from '../session/session.repository.js';
import { ShareLifecycle } from '../sharing/share-lifecycle.js';
import { usePlatform } from '../testing/platform.js';
import { VaultCounters } from './vault-counters.repository.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  await stopSchedule(platform.service);
});

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

/** A transaction that has locked a token, until `end` is called. */
function use({ vault_id: vaultId, vatId, caller }: Opened) {
  const { context } = platform.service;
  const transaction = { isLocked: false, end: () => undefined as void };
  const ended = new Promise<void>((resolve) => (transaction.end = resolve));
  const outcome = context.get(Database).transaction(async (tx) => {
    await context.get(SessionRepository).lock(tx, vatId, {
      vaultId,
      accountId: caller.credential.accountId,
    });
    transaction.isLocked = true;
    await ended;
  });
  return Object.assign(transaction, { outcome: reasonOf(outcome) });
}

const waiting = () => lockWaiters(platform.service);

const counted = ({ vault_id }: Opened) => {
  const { context } = platform.service;
  return context.get(Database).transaction(async (tx) => {
    await context.get(VaultCounters).lock(tx, [vault_id]);
  });
};

/** Removes the user whose key opened the vault. */
async function removeUser({ vault_id, caller }: Opened): Promise<void> {
  const { context } = platform.service;
  const user = { account_id: caller.credential.accountId, user_id: newId('usr_') };
  await platform.sql(`UPDATE dvaks SET dvak_type = 'user', authorized_user_id = $2 WHERE vault_id = $1`, [
    vault_id,
    user.user_id,
  ]);
  const revocations = context.get(RevocationRepository);
  await context.get(Database).transaction(async (tx) => {
    await revocations.revokeOfUser(tx, vault_id, user);
  });
}

describe('an exclusive lock of a vault', () => {
  it.each<[string, (opened: Opened) => Promise<unknown>, string]>([
    [
      'VLT-22: for a seal',
      ({ vault_id, caller }) => platform.call(sealVault, { params: { vault_id } }, caller),
      'AUTHENTICATION_ERROR',
    ],
    [
      'DVK-19: for the revocation of the key',
      ({ vault_id, last4, caller }) => platform.call(revokeDvak, { params: { vault_id, last4 } }, caller),
      'AUTHENTICATION_ERROR',
    ],
    [
      'VLT-23: for the deletion',
      ({ vault_id, caller }) => platform.call(deleteVault, { params: { vault_id } }, caller),
      'VAULT_NOT_FOUND',
    ],
    [
      'VLT-21: for an unsealing',
      ({ vault_id, vmk, caller }) => platform.unseal(vault_id, { vmk }, caller),
      'none',
    ],
    [
      'VLT-11: for a new name',
      ({ vault_id, caller }) =>
        platform.call(updateVault, { params: { vault_id }, body: { name: `new ${vault_id}` } }, caller),
      'none',
    ],
    ['AUTH-34: for the removal of its user', removeUser, 'AUTHENTICATION_ERROR'],
    ['VLT-25: for a change of its counters', counted, 'none'],
  ])(
    '%s is granted before later shared locks, while tokens are in constant use',
    async (_, act, afterwards) => {
      const opened = await open();
      const first = use(opened);
      await until(async () => first.isLocked);
      const acted = act(opened);
      await until(async () => (await waiting()) === 1);
      const second = use(opened);
      await until(async () => second.isLocked || (await waiting()) === 2);
      first.end();
      expect(await reasonOf(acted)).toBe('none');
      second.end();
      expect([await first.outcome, await second.outcome]).toEqual(['none', afterwards]);
    },
  );
});

/** Runs `work` in a transaction that has locked the vault exclusively, and returns its result. */
async function whileLocked<T>({ vault_id }: Opened, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { context } = platform.service;
  return context.get(Database).transaction(async (tx) => {
    await context.get(VaultCounters).lock(tx, [vault_id]);
    return work(tx);
  });
}

describe('the end of several tokens', () => {
  it.each<[string, (opened: Opened) => Promise<unknown>]>([
    [
      'DVK-19: by the revocation of a key',
      ({ vault_id, last4, caller }) => platform.call(revokeDvak, { params: { vault_id, last4 } }, caller),
    ],
    ['AUTH-34: by the removal of a user', removeUser],
  ])(
    '%s waits for a seal of the vault before the first of them, which prevents a deadlock',
    async (_, act) => {
      const opened = await open();
      const ended = await whileLocked(opened, async () => {
        const started = reasonOf(act(opened));
        await until(async () => (await waiting()) === 1);
        return { started };
      });
      expect(await ended.started).toBe('none');
    },
  );
});

/** A shared ingot with a one-time link, and another ingot with a link. */
async function linked({ vault_id, caller }: Opened) {
  const account_id = caller.credential.accountId;
  const [ingotId, other] = [newId('ing_'), newId('ing_')];
  const [share, once, ofOther] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [ingotId, other]) await platform.sql(INSERT_INGOT, [id, vault_id, account_id]);
  await platform.sql(INSERT_SHARE, [ingotId, vault_id, account_id, share]);
  for (const [id, link] of [
    [ingotId, once],
    [other, ofOther],
  ])
    await platform.sql(INSERT_LINK_KEY, [link, account_id, vault_id, id]);
  const deliveryOf = (asset_id: string, link_id: string) => ({
    requestId: null,
    payload: { account_id, vault_id, asset_id, link_id, link_type: 'ingot', actor_type: 'system' },
  });
  return {
    ingot: { accountId: account_id, vaultId: vault_id, ingotId },
    share,
    shared: deliveryOf(ingotId, share) as Delivery<LinkAction>,
    once: deliveryOf(ingotId, once) as Delivery<LinkAction>,
    ofOther: deliveryOf(other, ofOther) as Delivery<LinkAction>,
  };
}
type Linked = Awaited<ReturnType<typeof linked>>;

const INSERT_INGOT = `
  INSERT INTO ingots (id, vault_id, account_id, name, folded_name, file_type, content_type, size_bytes, status)
  VALUES ($1, $2, $3, $1, $1, 'other', 'text/plain', 1, 'active')`;
const INSERT_SHARE = `
  INSERT INTO ingot_shares (ingot_id, vault_id, account_id, link_id, key_id)
  SELECT $1, $2, $3, $4, id FROM dvaks WHERE vault_id = $2`;
const INSERT_LINK_KEY = `
  INSERT INTO link_keys (link_id, account_id, vault_id, ingot_id, version_id, name, size_bytes, content_type, wrapped_key, expires_at)
  VALUES ($1, $2, $3, $4, 'ver_', 'a file', 1, 'text/plain', '', now() + interval '1 hour')`;
const deleteIngots = statement('test.delete-ingots', `DELETE FROM ingots WHERE vault_id = $1`);

describe('LNK-19 SHR-07: ending links waits for a deletion of their vault without holding other locks', () => {
  const inOne = (work: (links: OnLinks, tx: Transaction) => Promise<void>) => {
    const { context } = platform.service;
    return context.get(Database).transaction((tx) => work(context.get(OnLinks), tx));
  };

  it.each<[string, (links: Linked) => Promise<unknown>]>([
    ['by events of sparks', ({ once }) => inOne((links, tx) => links.deleted([once], tx))],
    [
      'with events of opened links',
      ({ once, ofOther }) =>
        inOne(async (links, tx) => {
          await links.accessed([once] as unknown as Delivery<LinkAccess>[], tx);
          await links.deleted([ofOther], tx);
        }),
    ],
    [
      'with events of created links',
      ({ shared, ofOther }) =>
        inOne(async (links, tx) => {
          await links.created([shared], tx);
          await links.revoked([ofOther], tx);
        }),
    ],
    [
      'by a call of sparks',
      ({ ingot: { accountId, vaultId, ingotId }, share }) => {
        const body = { account_id: accountId, vault_id: vaultId, ingot_id: ingotId, link_id: share };
        return platform.harness.bus.call(endLink, { body }, internalContext());
      },
    ],
    [
      'and discarding a share without a link',
      ({ ingot, share }) =>
        // The share that it would discard was deleted with the ingot.
        expect(platform.service.context.get(ShareLifecycle).discard(ingot, share)).rejects.toMatchObject({
          reason: 'INGOT_NOT_FOUND',
        }),
    ],
  ])('%s', async (_, end) => {
    const opened = await open();
    const links = await linked(opened);
    const { ended } = await whileLocked(opened, async (tx) => {
      const started = reasonOf(end(links));
      await until(async () => (await waiting()) === 1);
      await tx.query(deleteIngots, [opened.vault_id]);
      return { ended: started };
    });
    expect(await ended).toBe('none');
  });
});

/** Transactions that lock a vault and end, as those of callers who have found it before. */
function locksOf(vaultId: string, { credential }: AccountContext, vatId: string = newId('vts_')) {
  const { context } = platform.service;
  const sessions = context.get(SessionRepository);
  const vault = { vaultId, accountId: credential.accountId };
  const inOne = <T>(work: (tx: Transaction) => Promise<T>) => context.get(Database).transaction(work);
  return {
    token: () => inOne((tx) => sessions.lock(tx, vatId, vault)),
    unsealing: () => inOne((tx) => sessions.beginUnseal(tx, vault)),
    seal: () => inOne((tx) => sessions.seal(tx, vault)),
    folders: () => inOne((tx) => context.get(FolderTree).lock(tx, vault)),
    counters: () => inOne((tx) => context.get(VaultCounters).lock(tx, [vaultId])),
  };
}

describe('VLT-23 VLT-25 OPEN-12: a vault that is being deleted', () => {
  it('is locked neither for callers who found it before, nor for its counters', async () => {
    const { vault_id, vatId, caller } = await open();
    const { token, unsealing, seal, folders, counters } = locksOf(vault_id, caller, vatId);
    expect(await counters()).toEqual(new Set([vault_id]));
    await platform.call(deleteVault, { params: { vault_id } }, caller);
    for (const lock of [token, unsealing, seal, folders])
      expect(await reasonOf(lock())).toBe('VAULT_NOT_FOUND');
    expect(await counters()).toEqual(new Set());
  });
});

describe('VLT-22 VAT-05: the lock of a token', () => {
  it.each([
    [
      'is refused after a seal, even if its row was restored',
      `UPDATE vaults SET seal_epoch = 7 WHERE id = $1`,
    ],
    [
      'is refused once its key is wiped, as after its expiry',
      `UPDATE vault_sessions SET wrapped_key = NULL WHERE vault_id = $1`,
    ],
  ])('%s', async (_, end) => {
    const { vault_id, vatId, caller } = await open();
    const { token } = locksOf(vault_id, caller, vatId);
    expect(await reasonOf(token())).toBe('none');
    await platform.sql(end, [vault_id]);
    expect(await reasonOf(token())).toBe('AUTHENTICATION_ERROR');
  });
});

describe('ENV-41: a caller that names the vault of another account', () => {
  const strange: [string, (vault_id: string, stranger: AccountContext) => Promise<unknown>][] = [
    ['a seal', (vault_id, stranger) => platform.call(sealVault, { params: { vault_id } }, stranger)],
    ['a deletion', (vault_id, stranger) => platform.call(deleteVault, { params: { vault_id } }, stranger)],
    [
      'a new name',
      (vault_id, stranger) =>
        platform.call(updateVault, { params: { vault_id }, body: { name: newId('name_') } }, stranger),
    ],
    ['a folder', (vault_id, stranger) => locksOf(vault_id, stranger).folders()],
    ['an unsealing', (vault_id, stranger) => locksOf(vault_id, stranger).unsealing()],
    ['the use of a token', (vault_id, stranger) => locksOf(vault_id, stranger).token()],
  ];

  it.each(strange)('acquires no lock of the vault and waits for none: %s', async (_, act) => {
    const opened = await open();
    const { vault_id, caller } = opened;
    const { started, outcome } = await whileLocked(opened, async () => {
      const renamed = Array.from({ length: 6 }, (_, i) =>
        reasonOf(platform.call(updateVault, { params: { vault_id }, body: { description: `${i}` } }, caller)),
      );
      await until(async () => (await waiting()) >= 3);
      return { started: renamed, outcome: await reasonOf(act(vault_id, accountContext())) };
    });
    expect(outcome).toBe('VAULT_NOT_FOUND');
    expect(await Promise.all(started)).toEqual(Array(6).fill('none'));
  });
});
