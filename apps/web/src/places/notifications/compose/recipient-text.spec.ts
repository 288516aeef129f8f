import { describe, expect, it } from '@jest/globals';
import { addressOf } from '../../../ui/typed-address.js';
import { merged, parseRecipients, suggestions } from './recipient-text.js';

const ann = { address: 'ann@example.com', name: 'Ann Example' };
const ben = { address: 'ben@example.com', name: undefined };

describe('the recipients of a notification', () => {
  it('NTF-04: are e-mail addresses and phone numbers, and no other text', () => {
    expect(addressOf(' ann@example.com ')).toBe('ann@example.com');
    expect(addressOf('+44 20 7946-0000')).toBe('+442079460000');
    expect(addressOf('020 7946 0000')).toBeUndefined();
    expect(addressOf('ann')).toBeUndefined();
  });

  it('NTF-04: are several with commas, semicolons or lines between them, and colleagues by name', () => {
    expect(parseRecipients('ann example; cho@example.com,\n+4420794600', [ann])).toEqual({
      found: [
        ann,
        { address: 'cho@example.com', name: undefined },
        { address: '+4420794600', name: undefined },
      ],
      wrong: undefined,
    });
  });

  it('are none if one of them is wrong, which is named', () => {
    expect(parseRecipients('ben@example.com, benn', [ann])).toEqual({ found: [], wrong: 'benn' });
  });

  it('NTF-03: are each there once', () => {
    expect(merged([ann], [{ address: 'ANN@example.com', name: undefined }, ben])).toEqual([ann, ben]);
  });

  it('are suggested by name and address, without those that were added', () => {
    expect(suggestions('EXAMPLE', [ann, ben], [ben])).toEqual([ann]);
    expect(suggestions('', [ann, ben], [])).toEqual([ann, ben]);
    expect(suggestions('cho', [ann, ben], [])).toEqual([]);
  });
});
