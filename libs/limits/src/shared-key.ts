import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { StartConditions } from '@vaultsvc/messaging';
import { PeriodicJob, ReadinessChecks } from '@vaultsvc/service';
import type { RecordAuthenticator } from './record-authenticator.js';
import type { RedisConnection } from './redis-connection.js';
import { VersionedRecords, type VersionedRecord } from './versioned-records.js';

const RECORDED_EVERY_MS = 20_000;
/** A record that was not renewed for so long has no writer any more, which may be replaced by one with another key. */
const CURRENT_FOR_SECONDS = 60;
const TTL_SECONDS = 86_400;

/** Two services have different values of a setting that must be equal. */
export class SharedKeyDiffers extends Error {
  override readonly name = 'SharedKeyDiffers';

  constructor(setting: string) {
    super(
      `${setting} differs from that of the services that share it: none accepts what another one has signed with it`,
    );
  }
}

/** A setting that several services must have equal, and the record in Redis by which they find out. */
export interface SharedKeySettings {
  /** The name of the setting. */
  readonly setting: string;
  /** The key in Redis, among those of the records that are signed with the setting. */
  readonly record: string;
  /** Whether this service writes such records, and so this one. Others only read it. */
  readonly writes: boolean;
}

/**
 * Compares a key with that of the other services that have it, without showing it: a service that writes records signs one more and
 * renews it, and each service verifies it once. With another key all records would count as absent, and each call as over its
 * limit. Without a record there is nothing to compare yet, and the service starts.
 */
export class SharedKey implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('records');
  readonly #records: VersionedRecords<VersionedRecord>;
  readonly #recording: PeriodicJob;
  #isEqual = false;

  constructor(
    private readonly redis: RedisConnection,
    private readonly authenticator: RecordAuthenticator<VersionedRecord>,
    private readonly settings: SharedKeySettings,
    conditions: StartConditions,
    readiness: ReadinessChecks,
  ) {
    this.#records = new VersionedRecords(redis, authenticator);
    this.#recording = new PeriodicJob(`record ${settings.setting}`, () => this.#record());
    // A service on the queue groups must not accept calls; one with HTTP is taken out by its balancer, which asks again.
    conditions.add(settings.setting, () => this.compare());
    readiness.add(settings.setting, () => this.compare());
  }

  onApplicationBootstrap(): void {
    if (this.settings.writes) this.#recording.start(0);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#recording.stop();
  }

  /** @throws SharedKeyDiffers; RedisUnavailable */
  async compare(): Promise<void> {
    if (this.#isEqual) return;
    this.#isEqual = await compareKey(this.redis, this.authenticator, this.settings);
  }

  async #record(): Promise<number> {
    try {
      await this.compare();
    } catch (error) {
      if (!(error instanceof SharedKeyDiffers)) throw error;
      this.#logger.error({ msg: error.message });
      return RECORDED_EVERY_MS;
    }
    await this.#records.put(this.settings.record, { version: nowSeconds() }, TTL_SECONDS);
    return RECORDED_EVERY_MS;
  }
}

/**
 * Whether the key is equal to that of the services that have recorded theirs; false if none has.
 * @throws SharedKeyDiffers; RedisUnavailable
 */
export async function compareKey(
  redis: RedisConnection,
  authenticator: RecordAuthenticator<VersionedRecord>,
  { record, setting, writes }: SharedKeySettings,
): Promise<boolean> {
  const text = (await redis.command(['GET', record])) as string | null;
  if (text === null) return false;
  if (authenticator.decode(record, text)) return true;
  if (writes && isAbandoned(text)) return false;
  throw new SharedKeyDiffers(setting);
}

/** Whether nobody renews a record any more. Its time is not authenticated: who may write to Redis can delay a start, and no more. */
function isAbandoned(text: string): boolean {
  const [, version = '0'] = /"version":(\d{1,12})/.exec(text) ?? [];
  return nowSeconds() - Number(version) > CURRENT_FOR_SECONDS;
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}
