import { language, region } from '../texts/catalogue.js';

// In the zone of the person's system. Marked as pure, so that bundles without them do not contain them.
const day = /* @__PURE__ */ new Intl.DateTimeFormat(region, { dateStyle: 'medium' });
const moment = /* @__PURE__ */ new Intl.DateTimeFormat(region, { dateStyle: 'medium', timeStyle: 'short' });
const amount = /* @__PURE__ */ new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** A date of the person's time zone, from epoch seconds. */
export const dateText = (seconds: number): string => day.format(seconds * 1_000);
/** A date and time of the person's time zone, from epoch seconds. */
export const momentText = (seconds: number): string => moment.format(seconds * 1_000);

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A size in decimal units, as systems show it. */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  // 999.95 would be shown as 1,000.
  while (value >= 999.95 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return bytes === 1 ? '1 byte' : `${amount.format(value)} ${units[unit]}`;
}
