import type { LogEntry } from './log-entry.ts';

/** SGR codes (ECMA-48, 8.3.117). */
const codes = { dim: 2, red: 31, yellow: 33, cyan: 36 };

const levelColors: Record<string, keyof typeof codes | undefined> = {
  trace: 'dim',
  debug: 'dim',
  warn: 'yellow',
  error: 'red',
  fatal: 'red',
};

const plain: Paint = (text) => text;

type Paint = (text: string, color: keyof typeof codes | undefined) => string;

/**
 * One entry as a line to read: time, source, level, message, request id and other fields. Errors follow, with their stacks
 * and causes, in lines of their own.
 * @returns without a line break at its end
 */
export function formatEntry(entry: LogEntry, { hasColors }: { hasColors: boolean }): string {
  const paint: Paint = hasColors
    ? (text, color) => (color && text ? `\u001b[${codes[color]}m${text}\u001b[0m` : text)
    : plain;
  const { source, level, message, requestId = '', error, fields } = entry;
  const { stack, ...others } = fields;
  const parts = [
    paint(localTime(entry.time), 'dim'),
    paint(source.padEnd(12), 'cyan'),
    paint(level.padEnd(5), levelColors[level]),
    paint(printable(message), levelColors[level]),
    paint(printable(requestId), 'cyan'),
    paint(printable(fieldsText(others)), 'dim'),
  ].filter(Boolean);
  const below = [...(typeof stack === 'string' ? [stack] : []), ...(error ? [errorText(error)] : [])];
  return [parts.join(' ').trimEnd(), ...below.map((text) => paint(indented(printable(text)), 'dim'))].join(
    '\n',
  );
}

function localTime(time: number) {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

function fieldsText(fields: Record<string, unknown>) {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return shown.map(([name, value]) => `${name}=${valueText(value)}`).join(' ');
}

function valueText(value: unknown) {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/** An error as services log it. */
interface LoggedError {
  readonly type?: string;
  readonly message?: string;
  readonly stack?: unknown;
  readonly code?: string | number;
  readonly cause?: unknown;
}

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { type = 'Error', message = '', stack, code, cause } = error as LoggedError;
  const text = typeof stack === 'string' ? stack : `${type}: ${message}`;
  const withCode = code === undefined ? text : text.replace(/$/m, ` (${code})`);
  return cause === undefined || cause === null ? withCode : `${withCode}\ncaused by ${errorText(cause)}`;
}

function indented(text: string) {
  return text.replace(/^/gm, '    ');
}

/** Replaces characters that a terminal would obey instead of showing: controls, and those that change the direction of text. */
function printable(text: string) {
  return text.replace(
    // oxlint-disable-next-line no-control-regex -- control characters are what it replaces
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
