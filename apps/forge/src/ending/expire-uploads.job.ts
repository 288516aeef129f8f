import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Repeating } from '@vaultsvc/service';
import { UploadEnds } from './upload-ends.js';

const INTERVAL_MS = 60_000;

/** Ends uploads that nobody goes on with (OPEN-16), and the wait for those that nobody began. */
@Injectable()
export class ExpireUploads implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #repeating = new Repeating('expire-uploads', async () => {
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
    return this.ends.expire();
  }
}
