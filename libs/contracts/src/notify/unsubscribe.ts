import { Example } from '../core/example.js';
import { Flag, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** Query of unsubscribe links. */
export class UnsubscribeQuery {
  @Text({ max: 1_024, raw: true, description: 'The signed token of the link in the mail.' }) token: string;
}

/** The subscription that the link ends. */
@Example({ unsubscribed: false, channel: 'email', category: null })
export class CategorySubscription {
  @Flag({ description: 'Whether mails of this kind are off for the recipient.' }) unsubscribed: boolean;
  @Text({ max: 16 }) channel: string;
  @Text({ max: 64, nullable: true, description: 'null: all categories.' }) category: string | null;
}

/** Describes an unsubscribe link; changes nothing, since mail scanners follow links (RFC 8058, section 1). */
export const readCategorySubscription = operation({
  name: 'notify.read-subscription',
  summary: 'Describes the subscription that an unsubscribe link ends.',
  http: { method: 'GET', path: '/v1/unsubscribe', status: 200 },
  access: { credential: 'none' },
  query: UnsubscribeQuery,
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
  reply: EndedCategorySubscription,
  errors: ['UNSUBSCRIBE_LINK_INVALID'],
  repeatable: true,
});
