import { Example } from '../core/example.js';
import { Flag, ListOf, Nested, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { QuietHours } from './directory.js';
import { CategoryField } from './send.js';

/** The page behind the visible link of a mail, on the API's origin: with the token in its query, for browsers without scripts. */
export const UNSUBSCRIBE_PAGE = '/unsubscribe';
/** Most categories of an address that are shown. */
export const MAIL_CATEGORIES_MAX = 100;

/** Query of unsubscribe links. */
export class UnsubscribeQuery {
  @Text({ max: 2_048, raw: true, description: 'The token of the link in the mail.' }) token: string;
}

/** Whether an address receives mails of a category. */
@Example({ category: 'news', is_on: true })
export class MailCategory {
  @CategoryField({ description: 'Compared without regard to case.' }) category: string;
  @Flag() is_on: boolean;
}

/** What the link of a mail is about, and the preferences of the address that the mail was sent to. */
@Example({
  unsubscribed: false,
  channel: 'email',
  category: null,
  organization_name: 'Example Ltd.',
  address: 'a…@example.com',
  all_mails_off: false,
})
export class CategorySubscription {
  @Flag({ description: 'Whether mails of this kind are off for the address.' }) unsubscribed: boolean;
  @Text({ max: 16 }) channel: string;
  @Text({ max: 64, nullable: true, description: 'null: all categories.' }) category: string | null;
  @Text({ max: 255, description: 'The sender.' }) organization_name: string;
  @Text({ max: 254, nullable: true, description: 'Masked. null: an older link, which does not name it.' })
  address: string | null;
  @Flag({ description: 'Whether all mails of the sender are off.' }) all_mails_off: boolean;
  @ListOf(() => MailCategory, { description: 'Of the mails to this address, and those that are off.' })
  categories: MailCategory[];
  @Nested(() => QuietHours, { nullable: true, description: 'null: none.' }) quiet_hours: QuietHours | null;
}

/** Describes an unsubscribe link; changes nothing, since mail scanners follow links (RFC 8058, section 1). */
export const readCategorySubscription = operation({
  name: 'notify.read-subscription',
  summary: 'Describes the subscription that an unsubscribe link ends. Browsers are redirected to its page.',
  http: { method: 'GET', path: '/v1/unsubscribe', status: 200 },
  access: { credential: 'none' },
  query: UnsubscribeQuery,
  isQueryOpen: true,
  reply: CategorySubscription,
  errors: ['UNSUBSCRIBE_LINK_INVALID'],
  repeatable: true,
});

/** The subscription that has ended. */
@Example({ unsubscribed: true })
export class EndedCategorySubscription extends CategorySubscription {}

/** Ends the subscription (RFC 8058: the body `List-Unsubscribe=One-Click` of mail programs is ignored). */
export const unsubscribe = operation({
  name: 'notify.unsubscribe',
  summary: 'Ends the subscription that the link is about, with one request.',
  http: { method: 'POST', path: '/v1/unsubscribe', status: 200 },
  access: { credential: 'none' },
  query: UnsubscribeQuery,
  isQueryOpen: true,
  reply: EndedCategorySubscription,
  errors: ['UNSUBSCRIBE_LINK_INVALID'],
  repeatable: true,
});

/** Body of `setMailPreferences`. Absent fields, and categories that are not listed, stay as they are. */
@Example({ unsubscribed: false })
export class MailPreferenceChanges {
  @Flag({ optional: true, description: 'Of the kind that the link is about. false: mails come again.' })
  unsubscribed?: boolean;
  @Flag({ optional: true, description: 'Of all mails of the sender.' }) all_mails_off?: boolean;
  @ListOf(() => MailCategory, { max: MAIL_CATEGORIES_MAX, optional: true }) categories?: MailCategory[];
  @Nested(() => QuietHours, {
    optional: true,
    nullable: true,
    description: 'Hours in which reminders wait. null: none.',
  })
  quiet_hours?: QuietHours | null;
}

/** Sets the preferences of the address that a mail was sent to: the person who holds the link decides (OPEN-34). */
export const setMailPreferences = operation({
  name: 'notify.set-mail-preferences',
  summary: 'Sets which mails of the sender come to the address, and its quiet hours.',
  http: { method: 'PUT', path: '/v1/unsubscribe', status: 200 },
  access: { credential: 'none' },
  query: UnsubscribeQuery,
  body: MailPreferenceChanges,
  reply: CategorySubscription,
  errors: ['UNSUBSCRIBE_LINK_INVALID'],
  repeatable: true,
});
