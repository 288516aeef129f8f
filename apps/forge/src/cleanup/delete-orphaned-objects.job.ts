import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { Objects } from '@vaultsvc/objects';
import { Gauge } from 'prom-client';
import { objectPrefixOf } from './object-key.js';
import { ObjectCleanupRepository, type ObjectCleanup } from './object-cleanup.repository.js';

const WORKERS = 4;

const overdue = new Gauge({
  name: 'vaultsvc_sweeps_overdue',
  help: 'Versions whose orphaned objects should have been deleted more than 5 minutes ago, of all instances; updated after each round.',
});

/**
 * Deletes objects that no chunk refers to: all objects of a dropped version, and those that failed attempts left of a
 * finished one. The cleanup of a dropped version runs at once, and again when no attempt can be running. An interrupted
 * cleanup starts over; instances may run it concurrently.
 */
@Injectable()
export class DeleteOrphanedObjects implements BeforeApplicationShutdown {
  readonly everySeconds = 30;
  readonly #logger = new Logger('object-cleanup');
  #running: Promise<void> | undefined;
  #isRequested = false;
  #isStopped = false;

  constructor(
    private readonly cleanups: ObjectCleanupRepository,
    private readonly objects: Objects,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Starts a round without waiting for it. */
  trigger(): void {
    void this.run();
  }

  /** Handles all cleanups that are due, including those triggered while it runs; never throws. */
  run(): Promise<void> {
    this.#isRequested = true;
    this.#running ??= this.#rounds();
    return this.#running;
  }

  async #rounds(): Promise<void> {
    while (this.#isRequested && !this.#isStopped) {
      this.#isRequested = false;
      await this.#round();
    }
    this.#running = undefined;
  }

  /** A failure of the store or the database ends the round and is logged once; the cleanups stay due. */
  async #round(): Promise<void> {
    const workers = Array.from({ length: WORKERS }, () => this.#work());
    const results = [
      ...(await Promise.allSettled(workers)),
      ...(await Promise.allSettled([this.#updateGauge()])),
    ];
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected')
      this.#logger.warn({ msg: 'orphaned objects could not be deleted yet', err: failed.reason as unknown });
  }

  async #updateGauge(): Promise<void> {
    overdue.set(await this.cleanups.countOverdue());
  }

  async #work(): Promise<void> {
    for (let cleanup; !this.#isStopped && (cleanup = await this.cleanups.claim());)
      await this.#finishOrRelease(cleanup);
  }

  async #finishOrRelease(cleanup: ObjectCleanup): Promise<void> {
    try {
      if (await this.#deleteObjects(cleanup)) await this.cleanups.finish(cleanup);
    } catch (error) {
      await this.cleanups.release(cleanup);
      throw error;
    }
  }

  /** Returns false when interrupted, because the status of the version has changed or the process shuts down. */
  async #deleteObjects(cleanup: ObjectCleanup): Promise<boolean> {
    const prefix = objectPrefixOf(cleanup.versionId);
    for (let after: string | null = ''; after !== null;) {
      const page = await this.objects.list({ prefix, after });
      const keys = page.objects.map(({ key }) => key);
      await this.objects.deleteMany(await this.#orphansOf(cleanup, keys));
      if (this.#isStopped || !(await this.cleanups.renew(cleanup))) return false;
      after = page.next;
    }
    if (cleanup.status === 'dropped') while ((await this.cleanups.deleteChunks(cleanup)) > 0);
    return true;
  }

  /** A finished version gets no more chunks, so an object without one now never will have one. */
  async #orphansOf(cleanup: ObjectCleanup, keys: readonly string[]): Promise<readonly string[]> {
    if (cleanup.status === 'dropped' || keys.length === 0) return keys;
    const referenced = await this.cleanups.findReferenced(cleanup, keys);
    return keys.filter((key) => !referenced.has(key));
  }
}
