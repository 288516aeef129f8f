import { describe, expect, it } from '@jest/globals';
import { fieldsOf, isPublic, type Operation } from '../index.js';
import * as sparks from '../sparks/index.js';

/** Members whose value is, or belongs to, what a shard holds. */
const LOCATORS = ['spark_id', 'link_code', 'code', 'kindling'];

const operations = Object.values(sparks as Record<string, unknown>).filter(
  (value): value is Operation => typeof value === 'object' && value !== null && 'subject' in value,
);

describe('MISC-01: each operation of sparks finds its shard', () => {
  it.each(operations.map((op) => [op.name, op] as const))('%s', (_, op) => {
    const parts = op as { params?: new () => object; query?: new () => object; body?: new () => object };
    const classes = [parts.params, parts.query, parts.body].filter((part) => part !== undefined);
    const names = classes.flatMap((part) => [...fieldsOf(part).keys()]);
    const hasAccount =
      op.access === 'internal' ? names.includes('account_id') : op.access.credential === 'key';
    if (isPublic(op) && op.params) expect(op.shardBy).toBeDefined();
    if (op.shardBy === undefined) expect(hasAccount).toBe(true);
    else {
      expect(LOCATORS).toContain(op.shardBy);
      expect(names).toContain(op.shardBy);
    }
  });
});
