import { LogLevel, WebClient } from '@slack/web-api';
import type { IntegrationsConfig } from '../config.js';

const TIMEOUT_MS = 5_000;

/** A client of the chat platform. It makes each call once: its callers decide about retries. */
export function newChatClient(
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
