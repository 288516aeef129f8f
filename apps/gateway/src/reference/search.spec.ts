import { describe, expect, it } from '@jest/globals';
import { operations } from '@vaultsvc/contracts/catalog';
import { searchEntriesOf } from './search-entries.js';
import { searchOver } from './search/client/main.js';

const entries = searchEntriesOf(operations);
const search = await searchOver(entries);
const first = (text: string, count = 3) =>
  search(text)
    .slice(0, count)
    .map(({ url }) => url);

/** The words that people use, and the page or the operation that answers them. */
const questions: readonly (readonly [query: string, page: RegExp])[] = [
  ['one time secret', /POST\/v1\/sparks$|guides\/quickstart/],
  ['share a password', /sparks|links/],
  ['one time link', /guides\/links|sparklinks/],
  ['upload file', /guides\/files#upload/],
  ['resume upload', /guides\/(files|client)/],
  ['download a file', /guides\/files#download/],
  ['paging', /description\/paging/],
  ['pagination', /description\/paging/],
  ['next page', /description\/paging/],
  ['rate limit', /description\/rate-limit/],
  ['too many requests', /description\/rate-limit|RATE_LIMIT_EXCEEDED/],
  ['429', /RATE_LIMIT_EXCEEDED|description\/rate-limit/],
  ['sign in', /guides\/sessions#sign-in/],
  ['login', /guides\/sessions/],
  ['retry', /description\/retries|guides\/idempotency/],
  ['401', /description\/credentials|errors#(CREDENTIALS|BEARER|AUTHENTICATION|API_KEY)/],
  ['expiry', /description\/expiry/],
  ['api key', /api-keys/],
  ['invite a colleague', /(tag\/people|guides\/people)/],
  ['webhook', /guides\/(notify|webhooks|billing|integrations)|webhook/i],
  ['.env', /structured|settings|cli/],
  ['unlock a vault', /unseal/],
  ['audit log', /guides\/audit|audit-logs/],
  ['command line', /guides\/cli/],
  ['SPARK_BURNED', /errors#SPARK_BURNED/],
];

describe('OPEN-56: the search of the documentation', () => {
  it.each(questions)('finds the page for "%s" among its first three', (query, page) => {
    expect(first(query)).toContainEqual(expect.stringMatching(page));
  });
});
