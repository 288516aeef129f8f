import { region } from '../../texts/catalogue.js';

export type PointUnit = 'day' | 'hour';

// The API counts by UTC days: in another zone the name of a day would be that of its neighbour.
const day = new Intl.DateTimeFormat(region, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const hour = new Intl.DateTimeFormat(region, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

/** The name of a UTC day, or of an hour in the zone of the person. */
export function pointText(seconds: number, unit: PointUnit): string {
  return (unit === 'day' ? day : hour).format(seconds * 1_000);
}
