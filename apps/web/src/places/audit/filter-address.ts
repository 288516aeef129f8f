/** The filter of the list, which the address of the page keeps: types, ids and days, nothing secret. */
export interface AuditFilter {
  readonly type?: string;
  /** The id of a person, a key, an integration, a link (never its code) or a job. */
  readonly actor?: string;
  /** Days of the person's zone, `2026-11-03`; the last one is included. */
  readonly from?: string;
  readonly to?: string;
}

const names = ['type', 'actor', 'from', 'to'] as const;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Reads the filter of an address, without what is empty or is no day. */
export function filterOf(search: Readonly<Record<string, unknown>>): AuditFilter {
  const entries = names.flatMap((name) => {
    const value = search[name];
    const isKnown = typeof value === 'string' && value !== '' && (isDayName(name) ? isDay(value) : true);
    return isKnown ? [[name, value]] : [];
  });
  return Object.fromEntries(entries) as AuditFilter;
}

export const isFiltered = (filter: AuditFilter): boolean => names.some((name) => filter[name] !== undefined);

/** Whether the days are in order. */
export function hasDaysInOrder({ from, to }: AuditFilter): boolean {
  return from === undefined || to === undefined || from <= to;
}

/** The days as the API takes them: from the first second of the first day, to that after the last one. */
export function secondsOf({ from, to }: AuditFilter): { readonly from?: number; readonly to?: number } {
  return {
    ...(from !== undefined && { from: startOf(from, 0) }),
    ...(to !== undefined && { to: startOf(to, 1) }),
  };
}

function isDayName(name: (typeof names)[number]): boolean {
  return name === 'from' || name === 'to';
}

function isDay(text: string): boolean {
  return DAY.test(text) && startOf(text, 0) >= 0;
}

/** In the zone of the person, where a day may have 23 or 25 hours. NaN for what is no date. */
function startOf(day: string, daysLater: number): number {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + daysLater);
  const isReal = new Date(year, month - 1, date).getDate() === date;
  return isReal ? start.getTime() / 1_000 : Number.NaN;
}
