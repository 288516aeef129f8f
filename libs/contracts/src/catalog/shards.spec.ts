import { describe, expect, it } from '@jest/globals';
import { EVERY_SHARD, fieldsOf, isPublic, type Operation } from '../index.js';
import { eventsConsumedBy } from './index.js';
import * as reporting from '../reporting/index.js';
import * as sparks from '../sparks/index.js';

/** Members whose id or code names a shard. */
const LOCATORS = ['spark_id', 'link_code', 'code', 'kindling'];

const operationsOf = (module: object) =>
  Object.values(module)
    .filter((value): value is Operation => typeof value === 'object' && value !== null && 'subject' in value)
    .map((op) => [op.name, op] as const);

describe('MISC-01: each operation of reporting finds its shard by the account', () => {
  /** Those without an account: the log is public, and Stripe signs for no account. */
  const others = ['reporting.read-log-file', 'reporting.apply-stripe-event', 'reporting.claim-purchase'];

  it.each(operationsOf(reporting))('%s', (name, op) => {
    if (others.includes(name)) return expect(op.shardBy).toBe(EVERY_SHARD);
    expect(op.shardBy).toBeUndefined();
    if (isPublic(op)) return; // of the credential; the shard with the lowest number receives webhooks
    const { body } = op as { body?: new () => object };
    expect([...fieldsOf(body as new () => object).keys()]).toContain('account_id');
  });
});

describe('AUD-01 BIL-03: an event', () => {
  /** Of ids of accounts. */
  const ACCOUNT = /^\^acc_/;

  it('names one account, but for a read, which names that of the Spark and that of the reader', () => {
    const named = eventsConsumedBy('reporting').map(({ name, payload }) => ({
      name,
      accounts: [...fieldsOf(payload)]
        .filter(([, { schema }]) => ACCOUNT.test(schema.pattern ?? ''))
        .map(([member]) => member),
    }));
    const others = named.filter(({ accounts }) => accounts.join() !== 'account_id');
    expect(others).toEqual([{ name: 'sparks.read', accounts: ['account_id', 'reader_account_id'] }]);
  });
});

describe('MISC-01: each operation of sparks finds its shard', () => {
  it.each(operationsOf(sparks))('%s', (_, op) => {
    const parts = op as { params?: new () => object; query?: new () => object; body?: new () => object };
    // The gateway does not read the body.
    const inputs = isPublic(op) ? [parts.params, parts.query] : [parts.params, parts.query, parts.body];
    const classes = inputs.filter((part) => part !== undefined);
    const names = classes.flatMap((part) => [...fieldsOf(part).keys()]);
    const hasAccount =
      op.access === 'internal' ? names.includes('account_id') : op.access.credential === 'key';
    if (isPublic(op) && op.params) expect(op.shardBy).toBeDefined();
    if (op.shardBy === EVERY_SHARD) return expect(isPublic(op)).toBe(false);
    if (op.shardBy === undefined) expect(hasAccount).toBe(true);
    else {
      expect(LOCATORS).toContain(op.shardBy);
      expect(names).toContain(op.shardBy);
    }
  });
});
