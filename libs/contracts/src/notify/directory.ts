import { Example } from '../core/example.js';
import { ListOf, Nested, OneOf, Pattern, Text } from '../core/fields.js';
import { EMAIL_CHARACTERS_MAX } from '../core/identity.js';
import { operation } from '../core/operation.js';
import { notifyChannels, type NotifyChannel } from './channels.js';
import { CategoryField, Channels } from './send.js';

/** Most categories that a recipient can switch off. */
export const CATEGORIES_OFF_MAX = 64;

/** A category that a recipient has switched off, on one channel or all. */
@Example({ category: 'news', channel: null })
export class CategoryOptOut {
  @CategoryField({ description: 'Compared without regard to case.' }) category: string;
  @OneOf(notifyChannels, { optional: true, nullable: true, description: 'null: all channels.' })
  channel: NotifyChannel | null = null;
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Hours in which later steps wait. They may pass midnight. */
@Example({ from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' })
export class QuietHours {
  @Pattern(TIME, { max: 5, says: 'a time such as 22:00' }) from: string;
  @Pattern(TIME, { max: 5, says: 'a time such as 07:00' }) to: string;
  @Text({ max: 64, description: 'An IANA time zone, such as Europe/Berlin.' }) time_zone: string;
}

/** Path parameter of preferences. */
export class RecipientParams {
  @Text({
    max: EMAIL_CHARACTERS_MAX,
    description: 'The recipient as sends name it: an id of your directory, an address or a phone number.',
  })
  recipient_id: string;
}

const QUIET = 'Hours in which later steps wait. null: none.';

/** Body of `putPreferences`. Absent fields stay as they are. */
@Example({ channels_off: ['sms'], categories_off: [{ category: 'news' }] })
export class PreferenceChanges {
  @Channels({ min: 0, optional: true, description: 'Channels that are off. Replaces the former list.' })
  channels_off?: NotifyChannel[];
  @ListOf(() => CategoryOptOut, {
    max: CATEGORIES_OFF_MAX,
    optional: true,
    description: 'Categories that are off. Replaces the former list.',
  })
  categories_off?: CategoryOptOut[];
  @Nested(() => QuietHours, { optional: true, nullable: true, description: QUIET })
  quiet_hours?: QuietHours | null;
}

/** The preferences of a recipient. */
@Example({
  channels_off: ['sms'],
  categories_off: [{ category: 'news', channel: null }],
})
export class RecipientPreferences {
  @Text({ max: EMAIL_CHARACTERS_MAX }) recipient_id: string;
  @Channels({ min: 0, description: 'Channels that are off.' }) channels_off: NotifyChannel[];
  @ListOf(() => CategoryOptOut, { description: 'Categories that are off.' }) categories_off: CategoryOptOut[];
  @Nested(() => QuietHours, { nullable: true, description: QUIET }) quiet_hours: QuietHours | null;
}

/** Reads the preferences of a recipient (NTF-35). A recipient without any has all channels and categories on. */
export const readPreferences = operation({
  name: 'notify.read-preferences',
  summary: 'Reads the preferences of a recipient.',
  http: { method: 'GET', path: '/v1/products/notify/preferences/{recipient_id}', status: 200 },
  access: { credential: 'key' },
  params: RecipientParams,
  reply: RecipientPreferences,
  repeatable: true,
});

/** Sets the preferences of a recipient (NTF-35, OPEN-34). */
export const putPreferences = operation({
  name: 'notify.put-preferences',
  summary: 'Sets the preferences of a recipient: channels, categories and quiet hours.',
  http: { method: 'PUT', path: '/v1/products/notify/preferences/{recipient_id}', status: 200 },
  access: { credential: 'key' },
  params: RecipientParams,
  body: PreferenceChanges,
  reply: RecipientPreferences,
  repeatable: true,
});
