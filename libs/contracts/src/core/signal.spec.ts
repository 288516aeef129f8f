import { describe, expect, it } from '@jest/globals';
import { signal, signalSubject } from './signal.js';

describe('OPEN-51: the subject of a signal', () => {
  it('has the key as one token, so that a key cannot widen a subscription', () => {
    const grown = signal({ name: 'shop.shelf-grown', receivers: ['desk'] });
    expect(signalSubject(grown, 'acc_1')).toBe('live.shop.shelf-grown.acc_1');
    for (const key of ['', '*', '>', 'a.b', 'a b'])
      expect(() => signalSubject(grown, key)).toThrow(RangeError);
  });
});
