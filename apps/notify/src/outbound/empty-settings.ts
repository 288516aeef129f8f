import { Secret } from '@vaultsvc/config';

/** The names of the settings that are empty, their default. */
export function emptySettings(settings: Readonly<Record<string, string | Secret>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    (value instanceof Secret ? value.reveal() : value) === '' ? [name] : [],
  );
}
