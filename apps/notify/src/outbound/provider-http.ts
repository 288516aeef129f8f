import {
  OutboundFailure,
  retryAfterMs,
  sendOutbound,
  type OutboundReply,
  type OutboundRequest,
} from '@vaultsvc/http';
import { ProviderFailure, type FailureFacts } from './provider-failure.js';

export { failureCodeOf as codeOf, isSuccess } from '@vaultsvc/http';

/** A POST to a provider. */
export type ProviderRequest = Omit<OutboundRequest, 'method' | 'signal' | 'replyBytesMax'>;

/** The beginning of its body may contain the address: only known codes in it may be kept. */
export type ProviderReply = Pick<OutboundReply, 'status' | 'headers' | 'body'>;

/**
 * POSTs to a provider and returns its reply, whatever its status; redirects are not followed.
 * @throws ProviderFailure without a reply
 */
export async function postToProvider(sent: ProviderRequest): Promise<ProviderReply> {
  try {
    return await sendOutbound(sent);
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    throw new ProviderFailure(error.code, { isAnswerLost: error.isSent, isUnanswered: true });
  }
}

/**
 * The failure of a reply without success, with the delay of its Retry-After.
 * @param detail a known code of the provider: never its text, which may contain the address
 */
export function refusal(
  { status, headers }: ProviderReply,
  facts: FailureFacts = {},
  detail?: string,
): ProviderFailure {
  const code = detail === undefined ? `HTTP ${status}` : `HTTP ${status} ${detail}`;
  return new ProviderFailure(code, {
    retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()),
    ...facts,
  });
}

/**
 * Whether a status says that the same request would be rejected again: 4xx, except for those that ask for a later attempt
 * (408 Request Timeout, 425 Too Early, 429 Too Many Requests).
 */
export function isRejection(status: number): boolean {
  return status >= 400 && status <= 499 && ![408, 425, 429].includes(status);
}
