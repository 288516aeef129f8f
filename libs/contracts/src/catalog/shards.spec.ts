import { describe, expect, it } from '@jest/globals';
import { EVERY_SHARD, fieldsOf, isPublic, type Operation } from '../index.js';
import * as sparks from '../sparks/index.js';

/** Members whose id or code names a shard. */
const LOCATORS = ['spark_id', 'link_code', 'code', 'kindling'];

const operations = Object.values(sparks as Record<string, unknown>).filter(
  (value): value is Operation => typeof value === 'object' && value !== null && 'subject' in value,
);

describe('MISC-01: each operation of sparks finds its shard', () => {
  it.each(operations.map((op) => [op.name, op] as const))('%s', (_, op) => {
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
