import { identityKey } from '@vaultsvc/contracts';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';

/** The key of an address's preferences: whoever is reached at it, under whatever id, has switched them. */
export function emailKey(email: string): string {
  return `email:${identityKey(email)}`;
}

/** The key of today for one that was made by a former rule, as links in old mails hold it. */
export function currentKeyOf(directoryKey: string): string {
  return directoryKey.startsWith('email:') ? emailKey(directoryKey.slice('email:'.length)) : directoryKey;
}

/** What a message to a recipient is checked against. */
export interface Reached {
  readonly channel: NotifyChannel;
  readonly directory_key: string;
  readonly email: string | null;
  readonly phone: string | null;
}

const BY_PHONE: readonly NotifyChannel[] = ['sms', 'voice', 'whatsapp', 'rcs'];

/** The keys of the preferences that apply: those of the directory id, and those of the address that the channel uses. */
export function preferenceKeysOf({ channel, directory_key: key, email, phone }: Reached): string[] {
  if (channel === 'email' && email !== null) return [...new Set([currentKeyOf(key), emailKey(email)])];
  if (BY_PHONE.includes(channel) && phone !== null)
    return [...new Set([currentKeyOf(key), `phone:${phone}`])];
  return [currentKeyOf(key)];
}
