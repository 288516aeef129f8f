import { Flag, IdOf, ListOf, Name, Nested, OneOf, Pattern, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { notifyChannels, type NotifyChannel } from './channels.js';
import { DIRECTORY_ID_MAX } from './recipient.js';
import { CategoryField } from './send.js';

/** A channel that a recipient has switched off, for one category or all. */
export class ChannelOptOut {
  @OneOf(notifyChannels) channel: NotifyChannel;
  @CategoryField({ nullable: true, description: 'null: all categories.' }) category: string | null;
}

/** Hours in which later steps wait. */
export class QuietHours {
  @Pattern(/^([01]\d|2[0-3]):[0-5]\d$/, { max: 5, says: 'a time such as 22:00' }) from: string;
  @Pattern(/^([01]\d|2[0-3]):[0-5]\d$/, { max: 5, says: 'a time such as 07:00' }) to: string;
  @Text({ max: 64, description: 'An IANA time zone, such as Europe/Berlin.' }) time_zone: string;
}

/** Body of `putPreferences`. */
export class RecipientPreferences {
  @IdOf('acc') account_id: string;
  @Name({ max: DIRECTORY_ID_MAX, description: 'As sends name the recipient.' }) recipient_id: string;
  @ListOf(() => ChannelOptOut, { max: 64 }) off: ChannelOptOut[];
  @Nested(() => QuietHours, { nullable: true }) quiet_hours: QuietHours | null;
}

/** Stored. */
export class PreferencesStored {
  @Flag() stored: true;
}

/** Replaces the preferences of a recipient (NTF-35). First-party applications use it; there is no route (OPEN-34). */
export const putPreferences = operation({
  name: 'notify.put-preferences',
  summary: 'Replaces the preferences of a recipient.',
  access: 'internal',
  callers: ['gateway', 'integrations'],
  body: RecipientPreferences,
  reply: PreferencesStored,
  repeatable: true,
});
