/** From the least severe; the names are those of pino. */
export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

/** One line of a log. */
export interface LogEntry {
  /** Epoch milliseconds. */
  time: number;
  /** The service or server. */
  source: string;
  /** One of `levels`. */
  level: string;
  message: string;
  requestId?: string;
  /** As services log it: type, message, stack, code, cause. */
  error?: unknown;
  /** Everything else that the line holds. */
  fields: Record<string, unknown>;
  /** The line, if it is JSON. */
  json?: string;
}

/**
 * Parses a line: JSON of a service, or text of PostgreSQL, Redis or NATS. Any other text was written past the logger, such
 * as the stack trace of a crash, so it counts as an error of a service.
 * @param before the line before, whose time and level apply to text without any
 */
export function parseLogLine(
  source: string,
  line: string,
  before: { time: number; level?: string },
): LogEntry {
  const parsed = line.startsWith('{') ? jsonOf(line) : undefined;
  if (parsed) return fromJson(source, line, parsed, before.time);
  for (const format of serverFormats) {
    const found = format.pattern.exec(line)?.groups;
    if (found) return { ...entryOf(found, format.levels, before.time), source, fields: {} };
  }
  return { time: before.time, source, level: before.level ?? 'error', message: line, fields: {} };
}

function jsonOf(line: string) {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined; // A line that was cut by a kill.
  }
}

function fromJson(
  source: string,
  json: string,
  parsed: Record<string, unknown>,
  timeBefore: number,
): LogEntry {
  const { time, level, service: _service, msg, requestId, err: error, ...fields } = parsed;
  return {
    time: typeof time === 'number' ? time : timeBefore,
    source,
    level: typeof level === 'string' && levels.includes(level) ? level : 'info',
    message: textOf(msg) ?? textOf((error as { message?: unknown } | undefined)?.message) ?? '',
    ...(typeof requestId === 'string' && requestId !== '' && { requestId }),
    ...(error !== undefined && error !== null && { error }),
    fields,
    json,
  };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

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

/** @param found time, level and message */
function entryOf(
  { time = '', level = '', message = '' }: Record<string, string>,
  levelNames: Record<string, string | undefined>,
  timeBefore: number,
) {
  const parsed = Date.parse(time);
  return { time: Number.isNaN(parsed) ? timeBefore : parsed, level: levelNames[level] ?? 'info', message };
}

/** @param least the least severe level that counts */
export function isAtLeast({ level }: LogEntry, least: string) {
  return levels.indexOf(level) >= levels.indexOf(least);
}
