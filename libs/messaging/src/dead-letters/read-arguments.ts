import { parseCommandLine, UsageError } from '@vaultsvc/config';

const USAGE = `Usage: dead-letters list [--consumer NAME] [--json]
       dead-letters replay (EVENT_ID [--consumer NAME] | --all [--consumer NAME]) [--wait SECONDS]
       dead-letters discard EVENT_ID --consumer NAME
  list     events that could not be applied and messages that were refused, oldest first
  replay   lets a running instance of the service apply them again, as it applies deliveries: once
  discard  removes one for good; what its event should have changed stays as it is
  --wait   how long to wait for the outcome, 60 by default`;

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
  const { positionals, values } = parseCommandLine(
    { args: [...args], options, allowPositionals: true },
    USAGE,
  );
  const [action, eventId, ...rest] = positionals;
  const { consumer, json: isJson, all, wait } = values;
  if (action !== 'list' && action !== 'replay' && action !== 'discard')
    throw new UsageError('Name a command.', USAGE);
  if (rest.length > 0 || (action === 'list' && eventId !== undefined))
    throw new UsageError('Too many arguments.', USAGE);
  if (action === 'replay' && (eventId !== undefined) === all)
    throw new UsageError('Name one event, or --all.', USAGE);
  if (action === 'discard' && (eventId === undefined || consumer === undefined || all))
    throw new UsageError('Name the event and its consumer.', USAGE);
  if (!/^\d{1,4}$/.test(wait)) throw new UsageError('--wait is a number of seconds.', USAGE);
  return { action, consumer, eventId, isJson, waitMs: Number(wait) * 1_000 };
}
