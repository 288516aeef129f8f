import { Injectable } from '@nestjs/common';
import { AppError, serviceContext } from '@vaultsvc/contracts';
import { describeMessage, type LinkMessage } from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';
import type { ClaimedMessage } from '../messages/message.repository.js';

/** Loads the content of messages about links from sparks. */
@Injectable()
export class LinkMessages {
  constructor(private readonly bus: Bus) {}

  /** Undefined if the message is obsolete: the invite was withdrawn, the link has ended or the code has expired. */
  async describe(message: ClaimedMessage): Promise<LinkMessage | undefined> {
    const context = serviceContext(message.request_id ?? message.id);
    const body = { message_id: message.subject_id };
    try {
      return await this.bus.call(describeMessage, { body }, context);
    } catch (error) {
      if (error instanceof AppError && error.reason === 'LINK_NOT_FOUND') return undefined;
      throw error;
    }
  }
}
