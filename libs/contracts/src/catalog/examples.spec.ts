import { describe, expect, it } from '@jest/globals';
import { decode } from '../core/decode.js';
import { exampleOf } from '../core/example.js';
import type { PublicOperation } from '../core/operation.js';
import { operations } from './index.js';

type Fields = Readonly<Record<string, unknown>>;

const cases = operations.map((op) => ({ op, operation: `${op.http.method} ${op.http.path}` }));
const parts = ['params', 'query', 'body', 'reply'] as const;

/** The examples of an operation, by part. */
const examplesOf = (op: PublicOperation) =>
  parts.flatMap((part) => {
    const type = op[part];
    return type ? [{ part, type, example: exampleOf(type) }] : [];
  });

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object and all objects within it. */
function objectsIn(value: unknown): Fields[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isFields(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

const everyObject = (op: PublicOperation) => examplesOf(op).flatMap(({ example }) => objectsIn(example));

describe('OPEN-56: the examples of every contract', () => {
  it.each(cases)('are valid and have no placeholders: $operation', ({ op }) => {
    for (const { type, example } of examplesOf(op)) decode(type, example);
    for (const [name, value] of everyObject(op).flatMap(Object.entries))
      for (const text of [value].flat()) expect(text).not.toBe(name.replaceAll('_', ' '));
  });

  it.each(cases)('have their times in order: $operation', ({ op }) => {
    for (const { created_at, ttl_minutes, issued_at, ttl_seconds, expires_at, ...rest } of everyObject(op)) {
      if (typeof ttl_minutes === 'number' && typeof created_at === 'number')
        expect(expires_at).toBe(created_at + ttl_minutes * 60);
      if (typeof issued_at === 'number') expect(expires_at).toBe(issued_at + Number(ttl_seconds));
      const later = Object.entries({ ...rest, expires_at }).filter(([name]) => name.endsWith('_at'));
      if (typeof created_at === 'number')
        for (const [name, time] of later)
          if (typeof time === 'number') expect({ [name]: time >= created_at }).toEqual({ [name]: true });
    }
  });

  it.each(cases)('agree with themselves: $operation', ({ op }) => {
    for (const fields of everyObject(op)) {
      const lists = Object.values(fields).filter((value) => Array.isArray(value) && value.some(isFields));
      if ('count' in fields && lists.length > 0) expect(fields['count']).toBe((lists[0] as []).length);
      if ('has_more' in fields) expect(fields).toMatchObject({ has_more: false });
      if ('revoked_at' in fields) expect(fields['revoked_at'] === null).toBe(fields['status'] !== 'revoked');
      if ('paid_at' in fields) expect(fields['paid_at'] === null).toBe(fields['status'] !== 'paid');
      if (typeof fields['payload'] === 'string' && 'size_bytes' in fields)
        expect(fields['size_bytes']).toBe(Buffer.byteLength(fields['payload']));
    }
  });

  it.each(cases)('of a request and of its reply agree: $operation', ({ op }) => {
    const { body, params, reply } = op;
    if (!reply) return;
    const replies = objectsIn(exampleOf(reply));
    const sent = [params, body].flatMap((type) => (type ? Object.entries(exampleOf(type)) : []));
    for (const [name, value] of sent) {
      if (name === 'refresh_token') continue; // each renewal returns another one
      const returned = replies.filter((fields) => name in fields).map((fields) => fields[name]);
      if (returned.length > 0 && !Array.isArray(value))
        expect({ [name]: returned }).toEqual({ [name]: expect.arrayContaining([value]) });
    }
  });

  it('SPK-25: describe one Spark from its creation to its reading', () => {
    const [create, read] = ['sparks.create', 'sparks.read'].map((name) =>
      operations.find((op) => op.name === name),
    );
    expect(exampleOf(create?.body as never)).toEqual({ payload: 'correct horse battery staple' });
    const created = exampleOf(create?.reply as never);
    expect(exampleOf(read?.params as never)).toEqual({ spark_id: created['spark_id'] });
    const { spark_id, created_at, size_bytes } = created;
    expect(exampleOf(read?.reply as never)).toMatchObject({
      spark_id,
      created_at,
      size_bytes,
      payload: 'correct horse battery staple',
    });
  });
});
