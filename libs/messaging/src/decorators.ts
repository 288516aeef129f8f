import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import type { Delivery, Event, Handler, Operation } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';

/** The declaration that `@Handles` and `@Consumes` add to the pattern of a method, for `MessagingTransport`. */
export interface PatternExtras {
  readonly operations?: readonly Operation[];
  readonly consumption?: Consumption;
}

/**
 * Marks the method that handles an operation, or several that differ by their provider alone. A method whose input, context or
 * reply differs does not compile.
 */
export function Handles<const Ops extends readonly [Operation, ...Operation[]]>(...operations: Ops) {
  const extras: PatternExtras = { operations };
  return <H extends Handler<Ops[number]>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    const subjects = operations.map(({ subject }) => subject);
    mark(MessagePattern<string[]>(subjects, extras), target, key, descriptor);
  };
}

/** The events of a method; `by` is the payload field that partitions them, `repeats` selects repeated deliveries. */
export interface Consumption {
  readonly events: readonly Event[];
  readonly by?: string;
  readonly repeats?: true;
}

type PayloadOf<E extends readonly Event[]> = E[number] extends Event<infer P> ? P : never;

/** Receives deliveries that were not applied yet, oldest first, and the transaction that records them as processed. */
export type Consumer<P extends object> = (
  deliveries: readonly Delivery<P>[],
  tx: Transaction,
) => Promise<void>;

/**
 * Marks the method that applies events. It receives them in batches, in the transaction that records them as processed:
 * delivered at least once, applied once.
 */
export function Consumes<E extends readonly Event[]>(...events: E) {
  return consumption<PayloadOf<E>>({ events });
}

/**
 * As `Consumes`, partitioned by a field of the payload, for methods that lock the row that this field names. All events of a
 * batch have the same value, so a locked row delays neither the events nor the locks of other rows.
 */
export function ConsumesPartitioned<E extends readonly Event[]>(
  by: keyof PayloadOf<E> & string,
  ...events: E
) {
  return consumption<PayloadOf<E>>({ events, by });
}

/**
 * Marks a method that receives deliveries which are not applied, because their event is recorded as processed, is a dead
 * letter, or comes twice in a batch: to compare them with what was recorded. It runs in the transaction of the batch, after
 * the methods that apply events, and only when there are such deliveries.
 */
export function ConsumesRepeats<E extends readonly Event[]>(...events: E) {
  return consumption<PayloadOf<E>>({ events, repeats: true });
}

function consumption<P extends object>(consumed: Consumption) {
  const extras: PatternExtras = { consumption: consumed };
  // One pattern for all events: a batch mixes them. Nest has one method for a pattern, so repeats have one of their own.
  const names = consumed.events.map(({ name }) => name).join(' ');
  const pattern = consumed.repeats ? `repeats: ${names}` : names;
  return <C extends Consumer<P>>(
    target: object,
    key: string,
    descriptor: TypedPropertyDescriptor<C>,
  ): void => {
    mark(EventPattern<string>(pattern, extras), target, key, descriptor);
  };
}

/** Nest passes a method the payload alone, unless its parameters are decorated: here payload and context. */
function mark(pattern: MethodDecorator, target: object, key: string, descriptor: PropertyDescriptor): void {
  pattern(target, key, descriptor);
  Payload()(target, key, 0);
  Ctx()(target, key, 1);
}
