import { Injectable } from '@nestjs/common';
import { LogLevel, WebClient } from '@slack/web-api';
import { IntegrationsConfig } from '../config.js';
import type { ConnectedInstallation } from '../installations/installation.repository.js';
import { TokenSealer } from '../tokens/token-sealer.js';

const TIMEOUT_MS = 5_000;

/** Opens clients of the chat platform with the bot token of an installation. */
@Injectable()
export class ChatClients {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly sealer: TokenSealer,
  ) {}

  async of({ accountId, appId, tokens }: ConnectedInstallation): Promise<WebClient> {
    const { accessToken } = await this.sealer.open(accountId, appId, tokens);
    return newClient(this.config, accessToken);
  }
}

/** Makes each call once: whoever calls decides about retries. */
export function newClient({ CHATAPP_API_ORIGIN }: IntegrationsConfig, token?: string): WebClient {
  return new WebClient(token, {
    slackApiUrl: `${CHATAPP_API_ORIGIN}/api/`,
    retryConfig: { retries: 0 },
    timeout: TIMEOUT_MS,
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
  });
}
