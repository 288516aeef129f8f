/** A time in a table: `2026-11-26 18:21Z`, in UTC; a dash for none. */
export function timeText(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined) return '-';
  return `${new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
