import { Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { type Event } from '@vaultsvc/contracts';
import { releaseStorage, reserveStorage } from '@vaultsvc/contracts/reporting';
import { PoolSnapshotCache, type PoolSnapshot } from '@vaultsvc/limits';
import { serviceStorage } from '@vaultsvc/messaging';
import { defineService, type RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { type Harness, internalContext, publishFrom, rowsOf, startHarness } from '@vaultsvc/testing/harness';
import { eventually, until } from '@vaultsvc/testing/waiting';
import { RenewSubscriptions } from '../billing/subscription/renew-subscriptions.job.js';
import { reporting } from '../service-definition.js';

/** Two instances of the service on real servers, and two services whose outboxes publish the events of a test. */
export interface Platform {
  readonly harness: Harness;
  readonly service: RunningService;
  /** Both instances. */
  readonly instances: readonly RunningService[];
  /** Publishes all events of a service in one transaction. */
  publish<P extends object>(...events: [Event<P>, P][]): Promise<void>;
  reserve(accountId: string, id: string, bytes: number, insteadOf?: string): Promise<object>;
  release(accountId: string, id: string): Promise<object>;
  /** Waits until an event has set the status of a reservation. */
  waitForStatus(id: string, status: 'confirmed' | 'closed'): Promise<void>;
  /** Sums of the account's pools, its ledger and its open reservations. */
  sums(accountId: string): Promise<Sums>;
  /** Waits until Redis has a snapshot that matches. */
  waitForSnapshot(
    accountId: string,
    matches: (record: PoolSnapshot) => boolean,
  ): Promise<PoolSnapshot | null>;
  /** Runs the job that renews and ends subscriptions, on both instances at once. */
  renew(): Promise<void>;
  sql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface Sums {
  readonly storage: number;
  readonly reserved: number;
  readonly bandwidth: number;
  readonly ledgerStorage: number;
  readonly ledgerBandwidth: number;
  readonly kept: number;
  [column: string]: unknown;
}

@Module({})
class PublisherModule {}

const storage = serviceStorage();
const publisherOf = (name: string) =>
  defineService({ name, config: StatefulConfig, module: PublisherModule, storage });

export async function startPlatform(settings: Record<string, string> = {}): Promise<Platform> {
  const harness = await startHarness({ LOG_LEVEL: 'silent' });
  const [vaults, forge, service] = await Promise.all([
    harness.start(publisherOf('vaults')),
    harness.start(publisherOf('forge')),
    harness.start(reporting, settings),
  ]);
  const instances = [service, await harness.start(reporting, settings)];
  const publishers: Record<string, RunningService> = { vaults, forge };
  const context = () => internalContext();
  return {
    harness,
    service,
    instances,
    publish: async (...events) => {
      for (const [name, publisher] of Object.entries(publishers))
        await publishFrom(publisher, ...events.filter(([event]) => event.service === name));
    },
    reserve: (account_id, reservation_id, bytes, instead_of) =>
      harness.bus.call(
        reserveStorage,
        { body: { account_id, reservation_id, bytes, instead_of } },
        context(),
      ),
    release: (account_id, reservation_id) =>
      harness.bus.call(releaseStorage, { body: { account_id, reservation_id } }, context()),
    waitForStatus: (id, status) => until(async () => (await rowsOf(service, FIND, [id, status])).length > 0),
    sums: async (accountId) => (await rowsOf<Sums>(service, SUMS, [accountId]))[0] as Sums,
    waitForSnapshot: (accountId, matches) =>
      eventually(
        () =>
          service.context
            .get(PoolSnapshotCache)
            .get(accountId)
            .catch(() => null), // Redis may be restarting
        (record) => record !== null && matches(record),
      ),
    renew: async () => {
      await Promise.all(instances.map(({ context }) => context.get(RenewSubscriptions).run()));
    },
    sql: (text, values) => rowsOf(service, text, values),
  };
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function usePlatform(settings?: Record<string, string>): Platform {
  return useFixture(
    () => startPlatform(settings),
    (platform) => platform.harness.stop(),
  );
}

const FIND = `SELECT id FROM reservations WHERE id = $1 AND status = $2`;

const SUMS = `
  SELECT coalesce(sum(storage_used), 0)::bigint AS storage, coalesce(sum(storage_reserved), 0)::bigint AS reserved,
         coalesce(sum(bandwidth_used), 0)::bigint AS bandwidth,
         (SELECT coalesce(sum(quantity), 0)::bigint FROM ledger_lines
           WHERE account_id = $1 AND resource = 'storage') AS "ledgerStorage",
         (SELECT coalesce(sum(quantity), 0)::bigint FROM ledger_lines
           WHERE account_id = $1 AND resource = 'bandwidth') AS "ledgerBandwidth",
         (SELECT coalesce(sum(bytes), 0)::bigint FROM reservations
           WHERE account_id = $1 AND status <> 'closed') AS kept
    FROM pools WHERE account_id = $1`;
