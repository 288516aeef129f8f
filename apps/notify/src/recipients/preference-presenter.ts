import {
  notifyChannels,
  type CategoryOptOut,
  type NotifyChannel,
  type PreferenceChanges,
  type RecipientPreferences,
} from '@vaultsvc/contracts/notify';
import type { OptOut, StoredChanges, StoredPreferences } from './preference.repository.js';
import { categoryKey } from './category-key.js';

/** The preferences of a recipient as its account reads them. */
export function presentPreferences(
  recipient_id: string,
  { off, quietHours }: StoredPreferences,
): RecipientPreferences {
  const channels = new Set(off.filter(({ category }) => category === null).map(({ channel }) => channel));
  return {
    recipient_id,
    channels_off: notifyChannels.filter((channel) => channels.has(channel)),
    categories_off: categoriesOf(off),
    quiet_hours: quietHours,
  };
}

/** A category that is off on all channels is one entry. */
function categoriesOf(off: readonly OptOut[]): CategoryOptOut[] {
  const channelsBy = new Map<string, { category: string; channels: NotifyChannel[] }>();
  for (const { channel, category } of off) {
    if (category === null) continue;
    const entry = channelsBy.get(categoryKey(category)) ?? { category, channels: [] };
    entry.channels.push(channel);
    channelsBy.set(categoryKey(category), entry);
  }
  return [...channelsBy.values()].flatMap(({ category, channels }): CategoryOptOut[] =>
    channels.length === notifyChannels.length
      ? [{ category, channel: null }]
      : channels.map((channel) => ({ category, channel })),
  );
}

/** The rows of a document: "all channels" is stored as each, so that one of them can be switched on again. */
export function storedChanges({
  channels_off,
  categories_off,
  quiet_hours,
}: PreferenceChanges): StoredChanges {
  return {
    ...(channels_off && { channels: channels_off.map((channel) => ({ channel, category: null })) }),
    ...(categories_off && { categories: categories_off.flatMap(channelsOff) }),
    ...(quiet_hours !== undefined && { quietHours: quiet_hours }),
  };
}

function channelsOff({ category, channel = null }: CategoryOptOut): OptOut[] {
  return (channel === null ? notifyChannels : [channel]).map((each) => ({ channel: each, category }));
}
