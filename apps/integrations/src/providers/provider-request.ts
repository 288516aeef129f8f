import { AppError } from '@vaultsvc/contracts';
import { membersOf, sendOutbound, type OutboundRequest } from '@vaultsvc/http';

const TIMEOUT_MS = 5_000;
const REPLY_BYTES_MAX = 256 * 1_024;

/** The reply of a provider to a request without an SDK of its own. */
export interface ProviderReply {
  readonly status: number;
  /** The members of the body; none if it is no JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** A request to a provider. */
type Sent = Pick<OutboundRequest, 'method' | 'headers' | 'body' | 'form'>;

/**
 * Sends a request to a provider and reads its reply, whatever its status.
 * @throws APP_PROVIDER_UNAVAILABLE without a complete reply of at most 256 KiB within 5 s, and for redirects, 429 and 5xx
 */
export async function requestProvider(url: URL, sent: Sent): Promise<ProviderReply> {
  const headers = { Accept: 'application/json', ...sent.headers };
  const limits = { timeoutMs: TIMEOUT_MS, replyBytesMax: REPLY_BYTES_MAX };
  const reply = await sendOutbound({ url, ...sent, headers, ...limits }).catch(unavailable);
  if (!reply.isComplete) return unavailable(new Error('the reply is too long, or broke off'));
  if (isFailure(reply.status)) return unavailable(new Error(`HTTP ${reply.status}`));
  return { status: reply.status, json: membersOf(reply) };
}

/** A redirect is none to follow: it would carry the credentials elsewhere. */
function isFailure(status: number): boolean {
  return status === 429 || status >= 500 || (status >= 300 && status < 400);
}

function unavailable(cause: unknown): never {
  throw new AppError('APP_PROVIDER_UNAVAILABLE', undefined, { cause });
}

/** A text of a reply; undefined if it is missing or empty. */
export function textIn(json: ProviderReply['json'], name: string): string | undefined {
  const value = json[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
