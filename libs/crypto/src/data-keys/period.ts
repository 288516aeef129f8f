/** How often a purpose gets a new data key, and when the old one is destroyed. */
export interface Period {
  /** The name of the key that seals at this instant (database clock). */
  kidAt(instant: Date): string;
  /** When the key of this instant is destroyed, and all that it sealed with it; null: never by age. */
  destroyAfter(instant: Date): Date | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SLACK_MS = 5 * 60_000;

/**
 * One key per UTC hour, named as in `2026112107`, destroyed 24 hours and 5 minutes after the hour's end: by then every
 * Spark made in that hour has expired (SPK-50), and no backup of ciphertext can be opened any more.
 */
export const hourly: Period = {
  kidAt: (instant) => instant.toISOString().slice(0, 13).replace(/\D/g, ''),
  destroyAfter: (instant) => new Date(startOfHourMs(instant) + HOUR_MS + DAY_MS + SLACK_MS),
};

/** One key per UTC month, named as in `202611`; kept, because what it seals has no common end. */
export const monthly: Period = {
  kidAt: (instant) => instant.toISOString().slice(0, 7).replace(/\D/g, ''),
  destroyAfter: () => null,
};

/**
 * One key for ever. For values that are not stored but made again, by people's own copies of them: whoever has put a
 * value into DNS or a config file cannot be told which month's key it was made with.
 */
export const permanent: Period = {
  kidAt: () => 'permanent',
  destroyAfter: () => null,
};

function startOfHourMs(instant: Date): number {
  return Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS;
}
