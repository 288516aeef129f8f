import { decode, decodeQuery, type AccountContext } from '@vaultsvc/contracts';
import {
  NewSpark,
  createSpark,
  deleteSpark,
  listSparks,
  readSpark,
  SparkListQuery,
} from '@vaultsvc/contracts/sparks';
import type { RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { rowsOf, startHarness, type Harness } from '@vaultsvc/testing/harness';
import { KeysDatabase } from '../epoch-keys/epoch-keys.providers.js';
import { sparks } from '../service-definition.js';

/** For specs: the service on real servers, called as the gateway calls it, with access to its database. */
export interface Platform {
  readonly harness: Harness;
  readonly service: RunningService;
  create(body: Partial<NewSpark>, caller: AccountContext): ReturnType<typeof callCreate>;
  read(sparkId: string, caller: AccountContext): ReturnType<typeof callRead>;
  list(query: Record<string, string>, caller: AccountContext): ReturnType<typeof callList>;
  remove(sparkId: string, caller: AccountContext): Promise<void>;
  /** Runs SQL in the service's schema and returns the rows. */
  sql<Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The same in the keys database. */
  keysSql<Row extends Record<string, unknown>>(text: string): Promise<Row[]>;
  /** Moves all times of a Spark into the past, as if it had been created earlier (OPEN-63). */
  age(sparkId: string, interval: string): Promise<void>;
  /** Makes the read lock of a Spark older by this interval. */
  ageLock(sparkId: string, interval: string): Promise<void>;
}

export async function startPlatform(settings: Record<string, string> = {}): Promise<Platform> {
  const harness = await startHarness();
  const service = await harness.start(sparks, settings);
  const sql: Platform['sql'] = (text, values) => rowsOf(service, text, values);
  return {
    harness,
    service,
    create: (body, caller) => callCreate(harness, body, caller),
    read: (sparkId, caller) => callRead(harness, sparkId, caller),
    list: (query, caller) => callList(harness, query, caller),
    remove: (sparkId, caller) => harness.bus.call(deleteSpark, { params: { spark_id: sparkId } }, caller),
    sql,
    keysSql: (text) => service.context.get(KeysDatabase).database.dataSource.query(text),
    age: async (sparkId, interval) => void (await sql(AGE, [sparkId, interval])),
    ageLock: async (sparkId, interval) =>
      void (await sql(`UPDATE sparks SET locked_at = locked_at - $2::interval WHERE id = $1`, [
        sparkId,
        interval,
      ])),
  };
}

/** The platform for the tests of a spec file: see `useFixture`. */
export function usePlatform(settings?: Record<string, string>): Platform {
  return useFixture(
    () => startPlatform(settings),
    (platform) => platform.harness.stop(),
  );
}

const AGE = `
  UPDATE sparks SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval,
                    due_at = due_at - $2::interval, burned_at = burned_at - $2::interval
   WHERE id = $1`;

/** Validates as the gateway does, then calls. */
function callCreate(harness: Harness, body: object, caller: AccountContext) {
  return harness.bus.call(createSpark, { body: decode(NewSpark, body) }, caller);
}

function callRead(harness: Harness, sparkId: string, caller: AccountContext) {
  return harness.bus.call(readSpark, { params: { spark_id: sparkId } }, caller);
}

function callList(harness: Harness, query: Record<string, string>, caller: AccountContext) {
  return harness.bus.call(
    listSparks,
    { query: decodeQuery(SparkListQuery, new URLSearchParams(query)) },
    caller,
  );
}
