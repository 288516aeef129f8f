import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Repeating } from '@vaultsvc/service';
import { DestroyEpochKeys } from './destroy-epoch-keys.job.js';
import { ExpireSparks } from './expire-sparks.job.js';
import { ForgetKindlings } from './forget-kindlings.job.js';

interface Job {
  /** Seconds from the end of one run to the start of the next. */
  readonly everySeconds: number;
  run(): Promise<void>;
}

/** Runs this service's jobs from its start to its stop. */
@Injectable()
export class Schedule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #repeating: readonly Repeating[];

  constructor(
    @Inject(ExpireSparks) expireSparks: ExpireSparks,
    @Inject(ForgetKindlings) forgetKindlings: ForgetKindlings,
    @Inject(DestroyEpochKeys) destroyEpochKeys: DestroyEpochKeys,
  ) {
    this.#repeating = [expireSparks, forgetKindlings, destroyEpochKeys].map(repeatingOf);
  }

  onApplicationBootstrap(): void {
    for (const job of this.#repeating) job.start(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#repeating.map((job) => job.stop()));
  }
}

function repeatingOf(job: Job): Repeating {
  return new Repeating(job.constructor.name, async () => {
    await job.run();
    return job.everySeconds * 1_000;
  });
}
