import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import type { Event } from '@vaultsvc/contracts';
import { userRemoved } from '@vaultsvc/contracts/auth';
import { bytesSent } from '@vaultsvc/contracts/forge';
import { sparklinkDeleted } from '@vaultsvc/contracts/sparks';
import { createDvak } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { serviceStorage } from '@vaultsvc/messaging';
import { defineService, type RunningService } from '@vaultsvc/service';
import { lockWaiters, publishFrom } from '@vaultsvc/testing/harness';
import { until } from '@vaultsvc/testing/waiting';
import { randomUUID } from 'node:crypto';
import { newVaultFixture, type VaultFixture } from './testing/ingots.js';
import { startPlatform, type Platform } from './testing/platform.js';
import { VaultCounters } from './vault/vault-counters.repository.js';

@Module({})
class FakeServiceModule {}
const fakeService = (name: string) =>
  defineService({
    name,
    config: StatefulConfig,
    module: FakeServiceModule,
    storage: serviceStorage(),
  });

let platform: Platform;
let services: Record<string, RunningService>;
async function startServices(settings: Record<string, string>): Promise<void> {
  platform = await startPlatform({ LOG_LEVEL: 'silent', ...settings });
  const start = (name: string) => platform.harness.start(fakeService(name), { LOG_LEVEL: 'silent' });
  const [auth, forge, sparks] = [await start('auth'), await start('forge'), await start('sparks')];
  services = { auth, forge, sparks };
}

const publish = <P extends object>(event: Event<P>, ...payloads: NoInfer<P>[]) =>
  publishFrom(
    services[event.service] as RunningService,
    ...payloads.map((payload) => [event, payload] as const),
  );
const waiting = () => lockWaiters(platform.service);
/** Runs `work` while the vault is locked exclusively. */
function whileHeld<T>({ vault_id }: VaultFixture, work: () => Promise<T>): Promise<T> {
  const { context } = platform.service;
  return context.get(Database).transaction(async (tx) => {
    await tx.manager.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await context.get(VaultCounters).lock(tx, [vault_id]);
    return work();
  });
}

const rowsIn = async (text: string, vaultId: string) => (await platform.sql(text, [vaultId])).length > 0;

/** An event that is published for several vaults, and the check that it was applied. */
interface EventCase {
  readonly event: string;
  /** Returns a function that publishes the events. */
  prepare(fixtures: readonly VaultFixture[]): Promise<() => Promise<void>>;
  isApplied(fixture: VaultFixture): Promise<boolean>;
}

const traffic: EventCase = {
  event: 'VLT-25: the bytes of a download',
  prepare: async (fixtures) => () => publish(bytesSent, ...fixtures.map(sendingOf)),
  isApplied: ({ vault_id }) =>
    rowsIn(`SELECT 1 FROM vaults WHERE id = $1 AND total_access_count = 1`, vault_id),
};

function sendingOf({ vault_id, caller }: VaultFixture) {
  const ids = { account_id: caller.credential.accountId, vault_id, ingot_id: newId('ing_') };
  return { ...ids, version_id: newId('ver_'), bytes: 10, downloads: 1 };
}

const links: EventCase = {
  event: 'LNK-19: the end of a link',
  prepare: async (fixtures) => {
    const ended = await Promise.all(fixtures.map(linkOf));
    return () => publish(sparklinkDeleted, ...ended);
  },
  isApplied: async ({ vault_id }) => !(await rowsIn(`SELECT 1 FROM link_keys WHERE vault_id = $1`, vault_id)),
};

async function linkOf({ vault_id, caller, store }: VaultFixture) {
  const { ingot_id } = await store();
  const [link_id, account_id] = [randomUUID(), caller.credential.accountId];
  await platform.sql(INSERT_LINK, [link_id, account_id, vault_id, ingot_id, newId('ver_')]);
  const actor = { actor_type: 'system', actor_id: null } as const;
  return { account_id, link_id, link_type: 'ingot', asset_id: ingot_id, vault_id, ...actor } as const;
}

const INSERT_LINK = `
  INSERT INTO link_keys (link_id, account_id, vault_id, ingot_id, version_id, name, size_bytes, content_type, wrapped_key, expires_at)
  VALUES ($1, $2, $3, $4, $5, 'a file', 1, 'text/plain', '', now() + interval '1 hour')`;

const removals: EventCase = {
  event: 'AUTH-34: the removal of a user',
  prepare: async (fixtures) => {
    const users = await Promise.all(fixtures.map(removedUserOf));
    return () => publish(userRemoved, ...users);
  },
  isApplied: ({ vault_id }) =>
    rowsIn(`SELECT 1 FROM dvaks WHERE vault_id = $1 AND status = 'revoked'`, vault_id),
};

/** The removed user is a user of the vault's account with a key of the vault. */
async function removedUserOf({ vault_id, vmk, caller }: VaultFixture) {
  const body = { vmk, dvak_type: 'nhi', nhi_description: 'to be a user' } as const;
  await platform.call(createDvak, { params: { vault_id }, body }, caller);
  const { accountId: account_id, credentialId: actor_id } = caller.credential;
  const user_id = `usr_${account_id.slice(4)}`;
  await platform.sql(`UPDATE dvaks SET dvak_type = 'user', authorized_user_id = $2 WHERE vault_id = $1`, [
    vault_id,
    user_id,
  ]);
  return { account_id, user_id, actor_id };
}

describe('consumers of events of several accounts', () => {
  // Changes that were applied within this timeout did not wait for the locks of others.
  beforeAll(() => startServices({ DATABASE_STATEMENT_MS: '60000' }));
  afterAll(() => platform.harness.stop());

  it.each([traffic, links, removals])(
    'apply $event while a vault of another account is locked',
    async (eventCase) => {
      const [busy, free] = [await newVaultFixture(platform), await newVaultFixture(platform)];
      const publishAll = await eventCase.prepare([busy, free]);
      await whileHeld(busy, async () => {
        await publishAll();
        await until(async () => (await waiting()) > 0);
        await until(() => eventCase.isApplied(free));
        expect(await waiting()).toBeGreaterThan(0);
        expect(await eventCase.isApplied(busy)).toBe(false);
      });
      await until(() => eventCase.isApplied(busy));
    },
  );
});

describe('OnUsersRemoved', () => {
  beforeAll(() => startServices({ DATABASE_STATEMENT_MS: '3000' })); // a lock is waited for for two seconds
  afterAll(() => platform.harness.stop());

  it('AUTH-34: revokes the keys of a removed user in an unlocked vault while another vault is locked', async () => {
    const busy = await newVaultFixture(platform);
    const free = await newVaultFixture(platform, busy.caller);
    const [user] = await Promise.all([busy, free].map(removedUserOf));
    await whileHeld(busy, async () => {
      await publish(userRemoved, user as Awaited<ReturnType<typeof removedUserOf>>);
      await until(() => removals.isApplied(free));
    });
    await until(() => removals.isApplied(busy));
  });
});
