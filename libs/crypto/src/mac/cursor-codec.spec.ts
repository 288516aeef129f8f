import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { CursorCodec, type CursorScope } from './index.js';

const key = randomBytes(32);
const codec = new CursorCodec(key);
const scope: CursorScope = { accountId: 'acc_A', routeId: 'vaults.list-ingots', pathIds: ['vlt_A'] };
const page = {
  position: '["2026-11-21T07:00:00.000Z","ing_A"]',
  filters: { status: 'active', limit: 5, q: null },
};
const cursor = codec.sign(scope, page);

describe('A list cursor', () => {
  it('opens to its position and filters for the same account, route and path', () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 30 })
      .filter((value) => !/\p{Surrogate}/u.test(value));
    fc.assert(
      fc.property(
        text,
        fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean())),
        (position, filters) => {
          const opened = codec.open(scope, codec.sign(scope, { position, filters }));
          expect(opened).toEqual(JSON.parse(JSON.stringify({ position, filters })));
        },
      ),
    );
  });

  it('has the form c1.payload.mac and needs no escaping in a query', () => {
    expect(cursor).toMatch(/^c1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{22}$/);
  });

  it('ENV-15: is refused with any changed, added or missing character', () => {
    for (let index = 0; index <= cursor.length; index += 1) {
      const rest = cursor.slice(index);
      const variants = [...'Aa0-_.='].flatMap((c) => [
        cursor.slice(0, index) + c + rest,
        cursor.slice(0, index) + c + rest.slice(1),
      ]);
      for (const text of [...variants, cursor.slice(0, index)].filter((variant) => variant !== cursor)) {
        expect(codec.open(scope, text)).toBeUndefined();
      }
    }
  });

  it('ENV-15: is refused without an exception when malformed', () => {
    for (const junk of [
      '',
      '.',
      '..',
      'c1',
      'c1..',
      `${cursor}.`,
      'c1.e30.AAAAAAAAAAAAAAAAAAAAAA',
      'A'.repeat(100_000),
    ]) {
      expect(codec.open(scope, junk)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (junk) => codec.open(scope, `c1.${junk}`) === undefined),
    );
  });

  it('ENV-16: is refused for another account', () => {
    expect(codec.open({ ...scope, accountId: 'acc_B' }, cursor)).toBeUndefined();
  });

  it('ENV-17: is refused for another list, resource or audit scope', () => {
    expect(codec.open({ ...scope, routeId: 'sparks.list' }, cursor)).toBeUndefined();
    expect(codec.open({ ...scope, pathIds: ['vlt_B'] }, cursor)).toBeUndefined();
    expect(codec.open({ ...scope, pathIds: [] }, cursor)).toBeUndefined();
    expect(codec.open({ ...scope, pathIds: ['vlt_A', ''] }, cursor)).toBeUndefined();
    expect(
      codec.open({ accountId: 'acc_A', routeId: 'vaults', pathIds: ['.list-ingots', 'vlt_A'] }, cursor),
    ).toBeUndefined();
  });

  it('ENV-15: is refused with the MAC of another payload', () => {
    const [, payload] = codec
      .sign(scope, { ...page, position: '["2000-01-01T00:00:00.000Z","ing_0"]' })
      .split('.');
    expect(codec.open(scope, `c1.${payload}.${cursor.split('.')[2]}`)).toBeUndefined();
  });

  it('is refused after its expiry', () => {
    let nowMs = 1_795_330_800_000;
    const aging = new CursorCodec(key, { ttlSeconds: 60, now: () => nowMs });
    const text = aging.sign(scope, page);
    nowMs += 59_999;
    expect(aging.open(scope, text)).toEqual(page);
    nowMs += 1;
    expect(aging.open(scope, text)).toBeUndefined();
  });

  it('opens under the key before a rotation; new cursors are signed with the new key', () => {
    const rotated = new CursorCodec(randomBytes(32), { previousKeys: [key] });
    expect(rotated.open(scope, cursor)).toEqual(page);
    expect(codec.open(scope, rotated.sign(scope, page))).toBeUndefined();
    expect(new CursorCodec(randomBytes(32)).open(scope, cursor)).toBeUndefined();
  });
});
