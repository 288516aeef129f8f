const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** A size as people write it: `1 byte`, `25.6 kB`, `5.4 GB`. Decimal units, at most one decimal. */
export function sizeInWords(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let [size, unit] = [bytes, 0];
  // What would be rounded to 1,000 is one of the next unit.
  while (size >= 999.95 && unit < UNITS.length - 1) [size, unit] = [size / 1_000, unit + 1];
  return `${unit === 0 ? size : Number(size.toFixed(1))} ${UNITS[unit]}`;
}

/** A wait as people say it, never shorter than it is. */
export function waitInWords(seconds: number): string {
  const [count, unit] = seconds <= 90 ? [seconds, 'second'] : [seconds / 60, 'minute'];
  const whole = Math.ceil(count);
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`;
}

const NAME_CHARACTERS_MAX = 44;
const TAIL_CHARACTERS = 16;

/** A file's name that fits: of a long one the middle is left out, because its end says what it is. */
export function shortName(name: string): string {
  const characters = [...name];
  if (characters.length <= NAME_CHARACTERS_MAX) return name;
  const head = characters.slice(0, NAME_CHARACTERS_MAX - TAIL_CHARACTERS - 1).join('');
  return `${head}…${characters.slice(-TAIL_CHARACTERS).join('')}`;
}

/** A name without what changes how its other characters look: `gpj.exe` must not read as `exe.jpg`. */
export function plainName(name: string): string {
  return name.replace(/[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu, '\uFFFD');
}

/** As the services say it (SPK-05): everything that is not text comes as base64. */
export function isText(contentType = 'text/plain'): boolean {
  const essence = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return /^(?:text\/.+|application\/(?:json|xml|javascript)|.+\+(?:json|xml))$/.test(essence);
}

/** An address or number as it is sent: what people put into numbers to read them better is left out. */
export function identityOf(typed: string): string {
  const text = typed.trim();
  return text.includes('@') ? text : text.replace(/[\s().\-/]/g, '').replace(/^00/, '+');
}

/** Where a link leads, if that is a place on the web and nothing else. */
export function webAddress(text = ''): URL | undefined {
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined;
  } catch {
    return undefined;
  }
}
