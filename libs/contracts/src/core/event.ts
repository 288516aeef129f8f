import type { Class } from './schema.js';

/** A fact in the past tense: `sparks.burned`. Published through the outbox only, at least once, effect once. */
export interface Event<P extends object = object> {
  readonly name: `${string}.${string}`;
  readonly service: string;
  /** JetStream subject: `evt.` + name. */
  readonly subject: string;
  /** Ids and figures only: streams keep events, so no secret may be in one. */
  readonly payload: Class<P>;
  /**
   * Services that must apply it. The outbox keeps an event until each of them has, whether or not it runs today; a
   * service that applies an event without standing here does not start.
   */
  readonly consumers: readonly string[];
}

const declared = new Map<string, Event>();

export function event<P extends object>(spec: {
  name: `${string}.${string}`;
  payload: Class<P>;
  consumers: readonly string[];
}): Event<P> {
  const [service] = spec.name.split('.');
  const made = Object.freeze({ ...spec, service: service as string, subject: `evt.${spec.name}` });
  declared.set(spec.name, made);
  return made;
}

/** The event of this name, if this process has loaded its declaration. */
export function eventNamed(name: string): Event | undefined {
  return declared.get(name);
}

/** What travels, and what a consumer receives. */
export interface Delivery<P extends object = object> {
  /** UUID of the outbox row; the key of "effect once". */
  readonly id: string;
  readonly name: string;
  readonly accountId: string | null;
  /** Request that caused it, for the audit trail; null for jobs. */
  readonly requestId: string | null;
  /** Epoch milliseconds by the database of the publishing service. */
  readonly occurredAtMs: number;
  readonly payload: P;
}
