import { describe, expect, it } from '@jest/globals';
import { isTimeZone } from './time-zone.js';

describe('NTF-35: the time zone of quiet hours', () => {
  it.each(['UTC', 'Etc/UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta', 'Europe/Kyiv', 'US/Pacific'])(
    'may be %s',
    (name) => {
      expect(isTimeZone(name)).toBe(true);
    },
  );

  // PostgreSQL would accept offsets and read them with the opposite sign (POSIX).
  it.each(['', 'Mars/Olympus', '+02:00', '-0500', 'UTC+2', 'Europe/Berlin '])('is not %j', (name) => {
    expect(isTimeZone(name)).toBe(false);
  });
});
