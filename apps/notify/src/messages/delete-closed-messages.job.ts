import { Injectable } from '@nestjs/common';
import { MessageRepository } from './message.repository.js';

/** Deletes messages that were closed 30 days ago. */
@Injectable()
export class DeleteClosedMessages {
  readonly everySeconds = 3_600;

  constructor(private readonly messages: MessageRepository) {}

  async run(): Promise<void> {
    await this.messages.deleteClosed();
  }
}
