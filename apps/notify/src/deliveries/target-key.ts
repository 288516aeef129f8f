import type { StoredNotification } from './notification.repository.js';

/**
 * What a breaker stands for: the host to which messages of an account go by a channel. It is of the account, too: a host that does
 * not answer one account may answer another. Channels of the operator have a provider each, and no host here.
 */
export function targetKey(
  { account_id, channel }: Pick<StoredNotification, 'account_id' | 'channel'>,
  address: string,
): string {
  return `${account_id} ${channel} ${hostOf(channel, address)}`;
}

function hostOf(channel: StoredNotification['channel'], address: string): string {
  if (channel === 'web_push') return urlHost(endpointOf(address));
  return channel === 'webhook' || channel === 'slack' || channel === 'teams' ? urlHost(address) : '';
}

function urlHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** The address is the JSON of a PushSubscription, which the provider validates. */
function endpointOf(address: string): string {
  try {
    return String((JSON.parse(address) as { endpoint?: unknown } | null)?.endpoint);
  } catch {
    return '';
  }
}
