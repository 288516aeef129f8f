import { describe, expect, it } from '@jest/globals';
import { countOf, dayText, eventText, percentText } from './texts.js';

describe('RPT-11 AUD-10: texts of the usage page', () => {
  it.each([
    [0, '0 %'],
    [0.0000001, 'Under 0.1 %'],
    [0.0123, '1.2 %'],
    [0.756, '75 %'],
    [0.9999, '99 %'],
    [1.5, '150 %'],
  ])('show the fraction %d as %s, and 100 %% only for a whole pool', (fraction, text) =>
    expect(percentText(fraction)).toBe(text),
  );

  it.each([
    ['api_key_created', 'API key created'],
    ['sparklink_accessed', 'SparkLink accessed'],
    ['spark_read', 'Spark read'],
    ['dvak_used', 'DVAK used'],
    ['session_opened', 'Session opened'],
  ])('show the type %s as %s', (type, text) => expect(eventText(type)).toBe(text));

  it('name days of UTC, in which usage is counted', () => {
    expect(dayText(Date.UTC(2026, 10, 3) / 1_000)).toBe('3 Nov');
    expect(dayText(Date.UTC(2026, 10, 3, 23, 59) / 1_000)).toBe('3 Nov');
  });

  it('use the singular for one', () => {
    expect(countOf(1, 'entry', 'entries')).toBe('1 entry');
    expect(countOf(12_345, 'entry', 'entries')).toBe('12,345 entries');
  });
});
