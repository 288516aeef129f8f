import { AppError } from '@vaultsvc/contracts';

const TIMEOUT_MS = 5_000;
const REPLY_BYTES_MAX = 256 * 1_024;

/** The reply of a provider to a request without an SDK of its own. */
export interface ProviderReply {
  readonly status: number;
  /** The parsed body; undefined if it is no JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Sends a request to a provider and reads at most 256 KiB of its reply, whatever its status. Redirects are refused: they would carry
 * the credentials elsewhere. @throws APP_PROVIDER_UNAVAILABLE without a complete reply, for 429 and for 5xx
 */
export async function requestProvider(url: URL, init: RequestInit): Promise<ProviderReply> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 429 || response.status >= 500) throw new Error(`HTTP ${response.status}`);
    return { status: response.status, json: objectOf(await beginningOf(response)) };
  } catch (error) {
    throw new AppError('APP_PROVIDER_UNAVAILABLE', undefined, { cause: error });
  }
}

/** A form of `application/x-www-form-urlencoded`, as token endpoints read it (RFC 6749, 4.1.3). */
export function postForm(url: URL, form: Readonly<Record<string, string>>): Promise<ProviderReply> {
  return requestProvider(url, { method: 'POST', body: new URLSearchParams(form) });
}

async function beginningOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += (part as Uint8Array).length;
    if (bytes > REPLY_BYTES_MAX) throw new Error('the reply is too long');
    parts.push(part as Uint8Array);
  }
  return Buffer.concat(parts).toString();
}

function objectOf(text: string): ProviderReply['json'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ProviderReply['json']) : undefined;
  } catch {
    return undefined;
  }
}

/** A text of a reply; undefined if it is missing or empty. */
export function textIn(json: ProviderReply['json'], name: string): string | undefined {
  const value = json?.[name];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
