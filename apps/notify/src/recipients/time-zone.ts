/**
 * Whether a text is an IANA time zone, links such as `Asia/Kolkata` included: `Intl.supportedValuesOf` lists one name of each
 * zone only. Offsets are none, because PostgreSQL reads their sign the other way round (POSIX).
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
