import { Example } from '../core/example.js';
import { Cursor, EpochSeconds, Flag, Int, ListOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** An address that the account's notifications are no longer mailed to, because its server has no such mailbox. */
@Example({ address: 'ada@example.com', reason: 'EENVELOPE 550 5.1.1' })
export class Suppression {
  @Text({ max: 64 }) suppression_id: string;
  @Text({ max: 254 }) address: string;
  @Text({ max: 200, description: 'The code with which the mail server refused the address (RFC 3463).' })
  reason: string;
  @EpochSeconds() created_at: number;
}

/** Query of `listSuppressions`. */
export class SuppressionQuery {
  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
}

/** A page of suppressed addresses. */
export class SuppressionList {
  @ListOf(() => Suppression) suppressions: Suppression[];
  @Int({ min: 0 }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** Lists the suppressed addresses of the account, newest first. */
export const listSuppressions = operation({
  name: 'notify.list-suppressions',
  summary: 'Lists the addresses to which no notifications are mailed any more.',
  http: { method: 'GET', path: '/v1/products/notify/suppressions', status: 200 },
  access: { credential: 'key' },
  query: SuppressionQuery,
  reply: SuppressionList,
  cursor: 'next_cursor',
  repeatable: true,
});

/** Path parameter of a suppression. */
export class SuppressionParams {
  @Text({ max: 64 }) suppression_id: string;
}

/** Lifts a suppression: the next notification is mailed to the address. Unknown and foreign ids are 404. */
export const deleteSuppression = operation({
  name: 'notify.delete-suppression',
  summary: 'Lifts the suppression of an address.',
  http: { method: 'DELETE', path: '/v1/products/notify/suppressions/{suppression_id}', status: 204 },
  access: { credential: 'key' },
  params: SuppressionParams,
  unknown: 'SUPPRESSION_NOT_FOUND',
  errors: ['SUPPRESSION_NOT_FOUND'],
});
