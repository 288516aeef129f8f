const count = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A count with separators: `12,345`. */
export const countText = (value: number) => count.format(value);
/** A count for an axis: `12.3K`. */
export const compactText = (value: number) => compact.format(value);
/** A UTC day: `3 Nov`. */
export const dayText = (seconds: number) => day.format(seconds * 1_000);

/** A count with its noun: `1 entry`, `2 entries`. */
export function countOf(value: number, one: string, many: string): string {
  return `${countText(value)} ${value === 1 ? one : many}`;
}

/** A fraction in percent, with the digits that its size needs. */
export function percentText(fraction: number): string {
  const percent = fraction * 100;
  if (percent > 0 && percent < 0.1) return 'Under 0.1 %';
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.floor(percent)} %`;
}

/** Words of event types that are not spelled as they are said. */
const spellings: Readonly<Record<string, string>> = {
  api: 'API',
  dvak: 'DVAK',
  sparklink: 'SparkLink',
  spark: 'Spark',
};

/** An event type for people: `api_key_created` is `API key created`. */
export function eventText(type: string): string {
  const text = type
    .split('_')
    .map((word) => spellings[word] ?? word)
    .join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
