import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Repeating } from '@vaultsvc/service';
import { UploadEnds } from './upload-ends.js';

const INTERVAL_MS = 60_000;

/** Lets replaced content go when the last download of it has ended, a day after its replacement at the latest. */
@Injectable()
export class DropOutlived implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #repeating = new Repeating('drop-outlived', async () => {
    await this.run();
    return INTERVAL_MS;
  });

  constructor(@Inject(UploadEnds) private readonly ends: UploadEnds) {}

  onApplicationBootstrap(): void {
    this.#repeating.start(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#repeating.stop();
  }

  /** Works until nothing is due. */
  run(): Promise<void> {
    return this.ends.dropOutlived();
  }
}
