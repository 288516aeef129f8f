import type { Delivery, Event, Handler, Operation, OperationSpec } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';

const operations = new WeakMap<object, Map<string, Operation>>();
const consumers = new WeakMap<object, Map<string, Consumption>>();

/** Marks the method that handles an operation. A method whose input, context or reply differs does not compile. */
export function Handles<S extends OperationSpec>(op: Operation<S>) {
  return <H extends Handler<S>>(
    target: object,
    key: string,
    _descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    add(operations, target, key, op as Operation);
  };
}

/** The events of a method; `by` is the payload field that partitions them. */
interface Consumption {
  readonly events: readonly Event[];
  readonly by?: string;
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

function consumption<P extends object>(consumed: Consumption) {
  return <C extends Consumer<P>>(
    target: object,
    key: string,
    _descriptor: TypedPropertyDescriptor<C>,
  ): void => {
    add(consumers, target, key, consumed);
  };
}

function add<T>(registry: WeakMap<object, Map<string, T>>, target: object, key: string, value: T): void {
  registry.set(target, (registry.get(target) ?? new Map<string, T>()).set(key, value));
}

export interface BoundHandler {
  readonly op: Operation;
  readonly handle: Handler<OperationSpec>;
}

export interface BoundConsumer extends Consumption {
  readonly name: string;
  readonly consume: Consumer<object>;
}

/** The operations that a provider handles. */
export function handlersOf(instance: object): BoundHandler[] {
  return entries(operations, instance).map(([key, op]) => ({
    op,
    handle: method(instance, key) as Handler<OperationSpec>,
  }));
}

/** The events that a provider applies. A consumer is named after its class and method. */
export function consumersOf(instance: object): BoundConsumer[] {
  return entries(consumers, instance).map(([key, consumed]) => ({
    ...consumed,
    name: `${instance.constructor.name}.${key}`,
    consume: method(instance, key) as Consumer<object>,
  }));
}

function entries<T>(registry: WeakMap<object, Map<string, T>>, instance: object): [string, T][] {
  const prototype = Object.getPrototypeOf(instance) as object | null;
  return prototype ? [...(registry.get(prototype) ?? [])] : [];
}

function method(instance: object, key: string): unknown {
  const member = (instance as Record<string, unknown>)[key];
  if (typeof member !== 'function') throw new Error(`${instance.constructor.name}.${key} is not a method`);
  return member.bind(instance);
}
