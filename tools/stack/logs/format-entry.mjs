/** @typedef {import('./log-entry.mjs').LogEntry} LogEntry */

/** SGR codes (ECMA-48, 8.3.117). */
const codes = { dim: 2, red: 31, yellow: 33, cyan: 36 };

/** @type {Record<string, keyof typeof codes | undefined>} */
const levelColors = { trace: 'dim', debug: 'dim', warn: 'yellow', error: 'red', fatal: 'red' };

/** @type {Paint} */
const plain = (text) => text;

/** @typedef {(text: string, color: keyof typeof codes | undefined) => string} Paint */

/**
 * One entry as a line to read: time, source, level, message, request id and other fields. Errors follow, with their stacks
 * and causes, in lines of their own.
 * @param {LogEntry} entry
 * @param {{ hasColors: boolean }} options
 * @returns {string} without a line break at its end
 */
export function formatEntry(entry, { hasColors }) {
  /** @type {Paint} */
  const paint = hasColors
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

/** @param {number} time */
function localTime(time) {
  const date = new Date(time);
  const two = (/** @type {number} */ value) => String(value).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** @param {Record<string, unknown>} fields */
function fieldsText(fields) {
  const shown = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return shown.map(([name, value]) => `${name}=${valueText(value)}`).join(' ');
}

/** @param {unknown} value */
function valueText(value) {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/**
 * @param {any} error
 * @returns {string}
 */
function errorText(error) {
  if (typeof error !== 'object') return String(error);
  const { type = 'Error', message = '', stack, code, cause } = error;
  const text = typeof stack === 'string' ? stack : `${type}: ${message}`;
  const withCode = code === undefined ? text : text.replace(/$/m, ` (${code})`);
  return cause === undefined || cause === null ? withCode : `${withCode}\ncaused by ${errorText(cause)}`;
}

/** @param {string} text */
function indented(text) {
  return text.replace(/^/gm, '    ');
}

/**
 * Replaces characters that a terminal would obey instead of showing: controls, and those that change the direction of text.
 * @param {string} text
 */
function printable(text) {
  return text.replace(
    // eslint-disable-next-line no-control-regex -- control characters are what it replaces
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
