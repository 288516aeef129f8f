import { Injectable } from '@nestjs/common';
import type { ConversationsInfoResponse } from '@slack/web-api';
import type { ConnectedInstallation } from '../installations/installation.repository.js';
import { platformError } from '../providers/chat-oauth.js';
import { ChatClients } from './chat-clients.js';
import { adviceOn } from './conversation-advice.js';

/** Part of the three seconds that the platform waits for the answer to a submission. */
const CHECK_MS = 800;

/** Asks the platform about the recipient of a secret before there is one: what is found out later destroys it. */
@Injectable()
export class ConversationCheck {
  constructor(private readonly clients: ChatClients) {}

  /** Why nothing can be sent there, with what the sender can do; undefined also where the platform does not answer in time. */
  async problemOf(conversation: string, installation: ConnectedInstallation): Promise<string | undefined> {
    if (/^[UW]/.test(conversation)) return undefined; // a message to a person opens the conversation with the app
    try {
      const client = await this.clients.of(installation, CHECK_MS);
      return adviceOn(errorIn(await client.conversations.info({ channel: conversation })), conversation);
    } catch (error) {
      return adviceOn(platformError(error), conversation);
    }
  }
}

/** The error that a message would meet. Public channels are joined (CHT-18). */
function errorIn({ channel }: ConversationsInfoResponse): string | undefined {
  if (channel?.is_archived) return 'is_archived';
  const isClosed = channel?.is_private === true && channel.is_im !== true;
  return isClosed && channel.is_member === false ? 'not_in_channel' : undefined;
}
