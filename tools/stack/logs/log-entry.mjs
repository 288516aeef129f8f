/** From the least severe; the names are those of pino. */
export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/**
 * @typedef {object} LogEntry one line of a log
 * @property {number} time epoch milliseconds
 * @property {string} source the service or server
 * @property {string} level one of `levels`
 * @property {string} message
 * @property {string} [requestId]
 * @property {any} [error] as services log it: type, message, stack, code, cause
 * @property {Record<string, unknown>} fields everything else that the line holds
 * @property {string} [json] the line, if it is JSON
 */

/**
 * Parses a line: JSON of a service, or text of PostgreSQL, Redis or NATS. Any other text was written past the logger, such
 * as the stack trace of a crash, so it counts as an error of a service.
 * @param {string} source
 * @param {string} line
 * @param {{ time: number, level?: string }} before the line before, whose time and level apply to text without any
 * @returns {LogEntry}
 */
export function parseLogLine(source, line, before) {
  const parsed = line.startsWith('{') ? jsonOf(line) : undefined;
  if (parsed) return fromJson(source, line, parsed, before.time);
  for (const format of serverFormats) {
    const found = format.pattern.exec(line)?.groups;
    if (found) return { ...entryOf(found, format.levels, before.time), source, fields: {} };
  }
  return { time: before.time, source, level: before.level ?? 'error', message: line, fields: {} };
}

/** @param {string} line */
function jsonOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // A line that was cut by a kill.
  }
}

/**
 * @param {string} source
 * @param {string} json
 * @param {any} parsed
 * @param {number} timeBefore
 * @returns {LogEntry}
 */
function fromJson(source, json, parsed, timeBefore) {
  const { time, level, service: _service, msg, requestId, err: error, ...fields } = parsed;
  return {
    time: typeof time === 'number' ? time : timeBefore,
    source,
    level: levels.includes(level) ? level : 'info',
    message: String(msg ?? error?.message ?? ''),
    ...(requestId && { requestId: String(requestId) }),
    ...(error && { error }),
    fields,
    json,
  };
}

/** The default formats of the servers. A level that is not listed is information. */
const serverFormats = [
  {
    pattern: /^(?<time>\d{4}-\d\d-\d\d [\d:.]+ \w+) \[\d+\] (?:\S+ )?(?<level>[A-Z]+\d?): +(?<message>.*)$/s,
    levels: { WARNING: 'warn', ERROR: 'error', FATAL: 'fatal', PANIC: 'fatal', DEBUG1: 'debug' },
  },
  {
    pattern: /^\d+:[A-Z] (?<time>\d\d \w{3} \d{4} [\d:.]+) (?<level>[.*#-]) (?<message>.*)$/s,
    levels: { '#': 'warn', '.': 'debug' },
  },
  {
    pattern: /^\[\d+\] (?<time>\d{4}\/\d\d\/\d\d [\d:]+\.\d{3})\d* \[(?<level>[A-Z]{3})\] (?<message>.*)$/s,
    levels: { WRN: 'warn', ERR: 'error', FTL: 'fatal', DBG: 'debug', TRC: 'trace' },
  },
];

/**
 * @param {Record<string, string>} found time, level and message
 * @param {Record<string, string | undefined>} levelNames
 * @param {number} timeBefore
 */
function entryOf({ time = '', level = '', message = '' }, levelNames, timeBefore) {
  const parsed = Date.parse(time);
  return { time: Number.isNaN(parsed) ? timeBefore : parsed, level: levelNames[level] ?? 'info', message };
}

/**
 * @param {LogEntry} entry
 * @param {string} least the least severe level that counts
 */
export function isAtLeast({ level }, least) {
  return levels.indexOf(level) >= levels.indexOf(least);
}
