import { validationError } from '@vaultsvc/contracts';
import {
  CHANNEL_PRIORITY_BYTES_MAX,
  notifyChannels,
  type NotifyConfigurationChanges,
} from '@vaultsvc/contracts/notify';
import { categoryKey } from '../recipients/category-key.js';

type Priority = NonNullable<NotifyConfigurationChanges['channel_priority']>;

/**
 * The priorities of a request with their categories as keys. Throws VALIDATION_ERROR for a value that is neither null nor a
 * list of channels, and for categories that differ in case only.
 */
export function checkedPriority(given: Record<string, unknown>): Priority {
  const checked: Priority = Object.create(null) as Priority;
  for (const [category, channels] of Object.entries(given)) {
    const key = categoryKey(category);
    if (Object.hasOwn(checked, key)) throw invalid(`channel_priority names the category ${key} twice`);
    if (!isPriority(channels))
      throw invalid(`channel_priority must hold lists of channels: ${notifyChannels.join(', ')}`);
    checked[key] = channels;
  }
  return checked;
}

/** Measures what is stored: a merge may exceed what each request may have. */
export function assertSmallPriority(priority: Priority): void {
  if (Buffer.byteLength(JSON.stringify(priority)) <= CHANNEL_PRIORITY_BYTES_MAX) return;
  throw invalid(`channel_priority must be at most ${CHANNEL_PRIORITY_BYTES_MAX} bytes of JSON together`);
}

function isPriority(channels: unknown): channels is Priority[string] {
  const known: readonly unknown[] = notifyChannels;
  if (channels === null) return true;
  return Array.isArray(channels) && channels.length > 0 && channels.every((one) => known.includes(one));
}

function invalid(message: string) {
  return validationError({ field: 'channel_priority', message });
}
