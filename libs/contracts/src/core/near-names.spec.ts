import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NearNames } from './near-names.js';

const names = new NearNames([
  'visibility',
  'bound_ip',
  'ttl_minutes',
  'role',
  'ttl',
  'to',
  'from',
  'min_size',
  'max_size',
  'abxy',
]);

describe('AMB-51: The declared name that an undeclared one is near', () => {
  it.each([
    ['visibilty', 'visibility'],
    ['visibilities', undefined],
    ['visiblity', 'visibility'],
    ['vizibilty', 'visibility'],
    ['visability', 'visibility'],
    ['vsiiblity', 'visibility'],
    ['Visibility', 'visibility'],
    ['VISIBILITY', 'visibility'],
    ['bound-ip', 'bound_ip'],
    ['boundIp', 'bound_ip'],
    ['boundip', 'bound_ip'],
    ['bound__ip_', 'bound_ip'],
    ['bound_ips', 'bound_ip'],
    ['ttl_minute', 'ttl_minutes'],
    ['ttlMinute', 'ttl_minutes'],
    ['tll_mintes', 'ttl_minutes'],
    ['roles', 'role'],
    ['rle', 'role'],
    ['form', 'from'],
    ['TTL', 'ttl'],
    ['To', 'to'],
    ['min_sise', 'min_size'],
    ['max_sizes', 'max_size'],
    ['abyx', 'abxy'],
    ['baxy', 'abxy'],
  ])('of %s is %s', (given, meant) => expect(names.find(given)).toBe(meant));

  it.each([
    'visibl',
    'vsblty',
    'view',
    'ttls',
    'tt',
    'too',
    't',
    '',
    '_',
    'bnd_i',
    'rl',
    'rolls',
    'minutes',
    '__proto__',
    'constructor',
    'visibility'.repeat(9),
    'abyz',
    'abzx',
    'yxba',
    '\ud800',
  ])('of %j is none', (given) => expect(names.find(given)).toBeUndefined());

  it('is the nearest of several', () => {
    expect(new NearNames(['created_by', 'created_at']).find('created_a')).toBe('created_at');
    expect(new NearNames(['createdat', 'created_ats']).find('created-ats')).toBe('created_ats');
  });

  it('is the name itself after one edit of four letters, and after two of eight', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(letters, fc.nat(), fc.nat(), fc.constantFrom('', 'x'), (name, first, second, by) => {
        const once = edited(name, first, by);
        const twice = edited(once, second, by === '' ? 'x' : '');
        const near = new NearNames([name]);
        expect(near.find(once)).toBe(name.length >= 4 ? name : undefined);
        if (name.length >= 8) expect(near.find(twice)).toBe(name);
      }),
    );
  });

  /** Replaces a letter by another, or removes it. */
  function edited(name: string, at: number, by: string): string {
    const index = at % Math.max(1, name.length);
    return name.slice(0, index) + by + name.slice(index + 1);
  }
});
