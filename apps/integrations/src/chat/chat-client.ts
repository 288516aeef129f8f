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

  /** @param timeoutMs of each call */
  async of(
    { accountId, appId, tokens }: ConnectedInstallation,
    timeoutMs: number = TIMEOUT_MS,
  ): Promise<WebClient> {
    const { accessToken } = await this.sealer.open(accountId, appId, tokens);
    return newClient(this.config, accessToken, timeoutMs);
  }
}

/** Makes each call once: whoever calls decides about retries. */
export function newClient(
  { CHATAPP_API_ORIGIN }: IntegrationsConfig,
  token?: string,
  timeout: number = TIMEOUT_MS,
): WebClient {
  return new WebClient(token, {
    slackApiUrl: `${CHATAPP_API_ORIGIN}/api/`,
    retryConfig: { retries: 0 },
    timeout,
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
  });
}
