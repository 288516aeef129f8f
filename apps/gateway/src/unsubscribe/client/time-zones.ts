/** The time zones that a person can choose, the browser's included: browsers list one name of each zone only. */
export function timeZones(own: string): string[] {
  const names = Intl.supportedValuesOf('timeZone');
  return [...new Set([...names, 'UTC', own])].sort();
}
