import type { RunningService } from '@vaultsvc/service';
import { rowsOf } from './rows.js';

export interface OutboxEvent {
  readonly name: string;
  readonly account_id: string | null;
  readonly request_id: string | null;
  readonly payload: Record<string, unknown>;
}

type Column = keyof OutboxEvent;
type Values = string | readonly string[];

/**
 * The events in a service's outbox that have these values in their payload, in the order of publication.
 * @param payload a value by member; of several values, any matches
 * @param options.name only events of this name, or of these names
 * @param options.columns the columns returned; all of OutboxEvent by default
 */
export function outboxEvents<C extends Column = Column>(
  service: RunningService,
  payload: Readonly<Record<string, Values>>,
  { name, columns }: { readonly name?: Values; readonly columns?: readonly C[] } = {},
): Promise<Pick<OutboxEvent, C>[]> {
  const conditions = [
    ...(name === undefined ? [] : [['name', name] as const]),
    ...Object.entries(payload).map(([member, values]) => [`payload->>'${member}'`, values] as const),
  ];
  const where = conditions.map(([expression], index) => `${expression} = ANY($${index + 1}::text[])`);
  return rowsOf(
    service,
    `SELECT ${(columns ?? ALL).join()} FROM recorded_events WHERE ${where.join(' AND ')} ORDER BY seq`,
    conditions.map(([, values]) => [values].flat()),
  );
}

const ALL = ['name', 'account_id', 'request_id', 'payload'] as const;
