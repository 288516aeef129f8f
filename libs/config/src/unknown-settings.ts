import { settingReaders } from './generated/setting-readers.js';

/** A variable that no service reads, and the setting that was probably meant. */
export interface UnknownSetting {
  readonly name: string;
  readonly nearest: string;
}

/** Mistakes in a misspelt name: letters that are missing, added, changed or exchanged. */
const MISTAKES_MAX = 2;
/** Shorter names resemble too many others. */
const LETTERS_MIN = 6;
const settingNames = Object.keys(settingReaders);
/** Variables of the SDK of AWS, which reads more of them than this project. */
const FOREIGN = /^AWS_/;

/**
 * The variables that look like a setting and are none: misspelt, or with another last word than all settings that begin alike. Those
 * of other programs, and of Kubernetes for its services, resemble none. A setting of another service is known: one environment may
 * serve several.
 * @param names of all settings
 */
export function unknownSettings(
  environment: NodeJS.ProcessEnv = process.env,
  names: readonly string[] = settingNames,
): readonly UnknownSetting[] {
  const known = new Set(names);
  return Object.keys(environment).flatMap((name) => {
    const plain = name.replace(/_FILE$/, '');
    if (known.has(name) || known.has(plain) || FOREIGN.test(name) || name.length < LETTERS_MIN) return [];
    const nearest = misspelt(plain, names) ?? names.find((setting) => beginOf(setting) === beginOf(plain));
    return nearest === undefined ? [] : [{ name, nearest }];
  });
}

function misspelt(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .map((setting) => ({ setting, distance: distanceOf(name, setting) }))
    .filter(({ distance }) => distance <= MISTAKES_MAX)
    .sort((a, b) => a.distance - b.distance);
  return nearest?.setting;
}

/** All words but the last one, if these are two or more. */
function beginOf(name: string): string | undefined {
  const words = name.split('_');
  return words.length > 2 ? words.slice(0, -1).join('_') : name;
}

/** The optimal string alignment distance; above the maximum some larger number. */
function distanceOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MISTAKES_MAX) return MISTAKES_MAX + 1;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const exchange = isExchanged ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(change, exchange, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? Infinity;
}
