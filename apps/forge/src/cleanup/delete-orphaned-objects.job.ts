import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Objects } from '@vaultsvc/objects';
import { Gauge } from 'prom-client';
import { objectPrefixOf } from '../upload/object-key.js';
import { ObjectCleanupRepository, type ObjectCleanup } from './object-cleanup.repository.js';

const SWEEPS_AT_ONCE = 4;

const overdue = new Gauge({
  name: 'vaultsvc_sweeps_overdue',
  help: 'Versions whose objects should have been swept more than 5 minutes ago, of all copies; looked up after each round.',
});

/**
 * Removes objects that nobody can read any more: all of a dropped version, and of a whole one what attempts left that
 * did not count. A dropped version is swept twice, at once and when no chunk can be on its way any more. It may stop
 * anywhere and begins again; any number of copies may do so.
 */
@Injectable()
export class DeleteOrphanedObjects implements BeforeApplicationShutdown {
  readonly everySeconds = 30;
  readonly #logger = new Logger('sweeps');
  #underWay: Promise<void> | undefined;
  #isWanted = false;
  #isStopped = false;

  constructor(
    private readonly sweeps: ObjectCleanupRepository,
    private readonly objects: Objects,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    await this.#underWay;
  }

  /** Begins without making anybody wait for it. */
  trigger(): void {
    void this.run();
  }

  /** Sweeps what is due, and what becomes due until then; never fails. */
  run(): Promise<void> {
    this.#isWanted = true;
    this.#underWay ??= this.#rounds();
    return this.#underWay;
  }

  async #rounds(): Promise<void> {
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      await this.#round();
    }
    this.#underWay = undefined;
  }

  /** A store or a database that is away ends the round: what is due stays due, and is told of once. */
  async #round(): Promise<void> {
    const workers = Array.from({ length: SWEEPS_AT_ONCE }, () => this.#sweepAll());
    const results = [...(await Promise.allSettled(workers)), ...(await Promise.allSettled([this.#tell()]))];
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected')
      this.#logger.warn({ msg: 'objects could not be swept yet', err: failed.reason as unknown });
  }

  async #tell(): Promise<void> {
    overdue.set(await this.sweeps.countOverdue());
  }

  async #sweepAll(): Promise<void> {
    for (let sweep; !this.#isStopped && (sweep = await this.sweeps.claim());)
      await this.#sweepOrGiveBack(sweep);
  }

  async #sweepOrGiveBack(sweep: ObjectCleanup): Promise<void> {
    try {
      if (await this.#removeObjects(sweep)) await this.sweeps.finish(sweep);
    } catch (error) {
      await this.sweeps.release(sweep);
      throw error;
    }
  }

  /** False: not to its end, because the version has ended otherwise meanwhile or the process stops. */
  async #removeObjects(sweep: ObjectCleanup): Promise<boolean> {
    const prefix = objectPrefixOf(sweep.versionId);
    for (let after: string | null = ''; after !== null;) {
      const page = await this.objects.list({ prefix, after });
      const keys = page.objects.map(({ key }) => key);
      await this.objects.deleteMany(await this.#straysOf(sweep, keys));
      if (this.#isStopped || !(await this.sweeps.renew(sweep))) return false;
      after = page.next;
    }
    if (sweep.status === 'dropped') while ((await this.sweeps.deleteChunks(sweep)) > 0);
    return true;
  }

  /** Of a whole version nothing new is named any more, so that what is not named now never will be. */
  async #straysOf(sweep: ObjectCleanup, keys: readonly string[]): Promise<readonly string[]> {
    if (sweep.status === 'dropped' || keys.length === 0) return keys;
    const named = await this.sweeps.findReferenced(sweep, keys);
    return keys.filter((key) => !named.has(key));
  }
}
