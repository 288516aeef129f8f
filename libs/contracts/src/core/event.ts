import type { Class } from './schema.js';

/** An event, named in the past tense. Published through the outbox only: delivered at least once, applied once. */
export interface Event<P extends object = object> {
  readonly name: `${string}.${string}`;
  readonly service: string;
  /** Ids and figures only: streams keep events, so an event must not contain a secret. */
  readonly payload: Class<P>;
  /**
   * Services that must apply the event. The outbox keeps it until each of them has, even if one is down for long. A
   * service that consumes an event without being declared here fails to start.
   */
  readonly consumers: readonly string[];
}

const declared = new Map<string, Event>();

/** Declares an event. `name`: `<service>.<event>`, the service being its publisher. */
export function event<P extends object>(spec: {
  name: `${string}.${string}`;
  payload: Class<P>;
  consumers: readonly string[];
}): Event<P> {
  const [service] = spec.name.split('.');
  const made = Object.freeze({ ...spec, service: service as string });
  declared.set(spec.name, made);
  return made;
}

/** The event with this name, if this process has loaded its declaration. */
export function eventNamed(name: string): Event | undefined {
  return declared.get(name);
}

/** The names of the events of a service, as far as this process has loaded their declarations. */
export function eventNamesOf(service: string): readonly string[] {
  return [...declared.values()].filter((event) => event.service === service).map(({ name }) => name);
}

/** An event as consumers receive it. */
export interface Delivery<P extends object = object> {
  /** UUID of the outbox row, by which consumers recognize redeliveries. */
  readonly id: string;
  readonly name: string;
  readonly accountId: string | null;
  /** Id of the HTTP request that caused the event, for the audit trail; null for jobs. */
  readonly requestId: string | null;
  /** Epoch milliseconds, by the clock of the publisher's database. */
  readonly occurredAtMs: number;
  readonly payload: P;
  /** The span that published the event, as W3C `traceparent`; absent unless it is recorded. */
  readonly trace?: string;
}
