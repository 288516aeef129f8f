/** The rotation of a data key: how often a purpose gets a new one, and when an old one is destroyed. */
export interface Period {
  /** The kid of the key that encrypts at this time of the database. */
  kidAt(instant: Date): string;
  /** When the key of this time is destroyed, and its ciphertexts with it; null: never by age. */
  destroyAfter(instant: Date): Date | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SLACK_MS = 5 * 60_000;

/**
 * One key per UTC hour, with kids like `2026112107`, destroyed 24 hours and 5 minutes after the end of the hour. By then
 * all Sparks of the hour have expired (SPK-50), and backups of their ciphertext become undecryptable.
 */
export const hourly: Period = {
  kidAt: (instant) => instant.toISOString().slice(0, 13).replace(/\D/g, ''),
  destroyAfter: (instant) => new Date(startOfHourMs(instant) + HOUR_MS + DAY_MS + SLACK_MS),
};

/** One key per UTC month, with kids like `202611`. It is never destroyed by age: its ciphertexts have no common expiry. */
export const monthly: Period = {
  kidAt: (instant) => instant.toISOString().slice(0, 7).replace(/\D/g, ''),
  destroyAfter: () => null,
};

/**
 * One key without rotation, for values that are not stored but derived again and compared with copies outside the platform,
 * such as DNS records: a copy does not show with which key it was derived.
 */
export const permanent: Period = {
  kidAt: () => 'permanent',
  destroyAfter: () => null,
};

function startOfHourMs(instant: Date): number {
  return Math.floor(instant.getTime() / HOUR_MS) * HOUR_MS;
}
