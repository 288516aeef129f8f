import type { Delivery, Event, Handler, Operation, OperationSpec } from '@vaultsvc/contracts';
import type { Transaction } from '@vaultsvc/database';

const operations = new WeakMap<object, Map<string, Operation>>();
const consumers = new WeakMap<object, Map<string, Consumption>>();

/** Marks the method that answers an operation. A method of another type does not compile. */
export function Handles<S extends OperationSpec>(op: Operation<S>) {
  return <H extends Handler<S>>(
    target: object,
    key: string,
    _descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    add(operations, target, key, op as Operation);
  };
}

/** What a method applies; `by` is the field of the payload whose values are applied apart. */
interface Consumption {
  readonly events: readonly Event[];
  readonly by?: string;
}

type PayloadOf<E extends readonly Event[]> = E[number] extends Event<infer P> ? P : never;

/** Deliveries of the named events, oldest first, not yet applied; the transaction that records them as applied. */
export type Consumer<P extends object> = (
  deliveries: readonly Delivery<P>[],
  tx: Transaction,
) => Promise<void>;

/**
 * Marks the method that applies events. It receives them in batches and in the transaction in which they are
 * recorded as processed: at least once on the wire, once in effect.
 */
export function Consumes<E extends readonly Event[]>(...events: E) {
  return consumption<PayloadOf<E>>({ events });
}

/**
 * As `Consumes`, for a method that locks what this field of the payload names: a batch has one value of it, so that one
 * that is locked by others keeps no other waiting, neither for its events nor for what they lock.
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

/** The operations that an instance answers. */
export function handlersOf(instance: object): BoundHandler[] {
  return entries(operations, instance).map(([key, op]) => ({
    op,
    handle: method(instance, key) as Handler<OperationSpec>,
  }));
}

/** The events that an instance applies; a consumer is named after its class and method. */
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
