import { Text } from './fields.js';

/** Longest parameter of analytics; the gateway accepts no longer request line. */
export const ANALYTICS_TEXT_MAX = 65_536;

/**
 * A query parameter of analytics that is any text: what is not one of its values falls back to its default, and is never an
 * error (RPT-01, RPT-12, RPT-18, RPT-34).
 */
export function AnalyticsText(description: string): PropertyDecorator {
  return Text({ max: ANALYTICS_TEXT_MAX, raw: true, optional: true, description });
}
