import { Inject, Injectable } from '@nestjs/common';
import { MailRepository } from './mail.repository.js';

/** Forgets mails that were ended a month ago. */
@Injectable()
export class ForgetMails {
  readonly everySeconds = 3_600;

  constructor(@Inject(MailRepository) private readonly mails: MailRepository) {}

  async run(): Promise<void> {
    await this.mails.forget();
  }
}
