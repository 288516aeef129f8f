import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Repeating } from '@vaultsvc/service';
import { MailRepository } from './mail.repository.js';

const INTERVAL_MS = 60 * 60 * 1_000;

/** Forgets mails that were ended a month ago. */
@Injectable()
export class ForgetMails implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #repeating = new Repeating('forget-mails', async () => {
    await this.mails.forget();
    return INTERVAL_MS;
  });

  constructor(@Inject(MailRepository) private readonly mails: MailRepository) {}

  onApplicationBootstrap(): void {
    this.#repeating.start(INTERVAL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#repeating.stop();
  }
}
