import { Injectable } from '@nestjs/common';
import { MessageRepository } from './message.repository.js';

/** Forgets messages that were ended a month ago. */
@Injectable()
export class ForgetMessages {
  readonly everySeconds = 3_600;

  constructor(private readonly messages: MessageRepository) {}

  async run(): Promise<void> {
    await this.messages.forget();
  }
}
