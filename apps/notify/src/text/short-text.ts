import { sanitizeName } from './rich-text.js';

/** Sanitizes a name and replaces characters outside GSM 7-bit: a single one doubles the size of every character of the message. */
export function shortName(name: string, charactersMax: number): string {
  return sanitizeName(name, charactersMax).replace(/[\u2024…‘’“”–—]/g, (sign) => plainSigns[sign] ?? '');
}

const plainSigns: Readonly<Record<string, string>> = {
  '\u2024': '. ',
  '…': '...',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
};

/** A time for a text message: `22 Nov, 21:30 UTC`. */
export function shortTime(epochSeconds: number): string {
  return `${format.format(epochSeconds * 1_000)} UTC`;
}

const format = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});
