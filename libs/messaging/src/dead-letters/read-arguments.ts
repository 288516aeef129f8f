import { parseArgs } from 'node:util';

const USAGE = `Usage: dead-letters list [--consumer NAME] [--json]
       dead-letters replay (EVENT_ID [--consumer NAME] | --all [--consumer NAME]) [--wait SECONDS]
       dead-letters discard EVENT_ID --consumer NAME
  list     events that could not be applied and messages that were refused, oldest first
  replay   lets a running instance of the service apply them again, as it applies deliveries: once
  discard  removes one for good; what its event should have changed stays as it is
  --wait   how long to wait for the outcome, 60 by default`;

/** Invalid arguments of the command line. The message shows the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(problem: string) {
    super(`${problem}\n${USAGE}`);
  }
}

/** What the operator wants. */
export interface DeadLettersCommand {
  readonly action: 'list' | 'replay' | 'discard';
  readonly consumer: string | undefined;
  /** Undefined: all. */
  readonly eventId: string | undefined;
  readonly isJson: boolean;
  readonly waitMs: number;
}

const options = {
  consumer: { type: 'string' },
  json: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  wait: { type: 'string', default: '60' },
} as const;

/** @throws UsageError */
export function readArguments(args: readonly string[]): DeadLettersCommand {
  const { positionals, values } = parse(args);
  const [action, eventId, ...rest] = positionals;
  const { consumer, json: isJson, all, wait } = values;
  if (action !== 'list' && action !== 'replay' && action !== 'discard')
    throw new UsageError('Name a command.');
  if (rest.length > 0 || (action === 'list' && eventId !== undefined))
    throw new UsageError('Too many arguments.');
  if (action === 'replay' && (eventId !== undefined) === all)
    throw new UsageError('Name one event, or --all.');
  if (action === 'discard' && (eventId === undefined || consumer === undefined || all))
    throw new UsageError('Name the event and its consumer.');
  if (!/^\d{1,4}$/.test(wait)) throw new UsageError('--wait is a number of seconds.');
  return { action, consumer, eventId, isJson, waitMs: Number(wait) * 1_000 };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments cannot be read.');
  }
}
