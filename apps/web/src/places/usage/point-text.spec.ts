import { describe, expect, it } from '@jest/globals';
import { pointText } from './point-text.js';

describe('RPT-11: the days of a chart', () => {
  it.each([Date.UTC(2026, 10, 3), Date.UTC(2026, 10, 3, 23, 59)])(
    'are those of UTC, in which usage is counted (%d)',
    (milliseconds) => expect(pointText(milliseconds / 1_000, 'day')).toBe('3 Nov'),
  );
});
