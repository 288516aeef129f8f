import { Injectable } from '@nestjs/common';
import type { WebClient } from '@slack/web-api';
import { IntegrationsConfig } from '../config.js';
import type { ConnectedInstallation } from '../installations/installation.repository.js';
import { newChatClient } from '../providers/new-chat-client.js';
import { TokenSealer } from '../tokens/token-sealer.js';

/** Opens clients of the chat platform with the bot token of an installation. */
@Injectable()
export class ChatClients {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly sealer: TokenSealer,
  ) {}

  /** @param timeoutMs of each call */
  async of({ accountId, appId, tokens }: ConnectedInstallation, timeoutMs?: number): Promise<WebClient> {
    const { accessToken } = await this.sealer.open(accountId, appId, tokens);
    return newChatClient(this.config, accessToken, timeoutMs);
  }
}
