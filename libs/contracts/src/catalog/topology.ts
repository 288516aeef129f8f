import type { Event } from '../core/event.js';
import { callersOf, type Operation } from '../core/operation.js';
import { healthOperation, unprocessedOperation } from '../core/service-operations.js';
import { isSharded } from '../core/shards.js';
import type { Signal } from '../core/signal.js';
import * as auth from '../auth/index.js';
import * as forge from '../forge/index.js';
import * as gateway from '../gateway/index.js';
import * as integrations from '../integrations/index.js';
import * as notify from '../notify/index.js';
import * as reporting from '../reporting/index.js';
import * as sparks from '../sparks/index.js';
import * as vaults from '../vaults/index.js';

/** The messages of one service: all that it may send and receive over NATS. */
export interface ServiceMessages {
  /** Operations that it calls. */
  readonly calls: readonly string[];
  /** Services that apply its events. */
  readonly publishesTo: readonly string[];
  /** Services whose events it applies. */
  readonly consumesFrom: readonly string[];
  /** Prefixes of the subjects of the signals that it sends. */
  readonly signals: readonly string[];
  /** Prefixes of the subjects of the signals that it receives. */
  readonly receives: readonly string[];
  /** Present if its tables may be spread over several databases (ADR 61). */
  readonly isSharded?: true;
}

/** Which service may call which operation, and between which services events travel. */
export type Topology = Readonly<Record<string, ServiceMessages>>;

const modules: readonly Readonly<Record<string, unknown>>[] = [
  auth,
  forge,
  gateway,
  integrations,
  notify,
  reporting,
  sparks,
  vaults,
];
const exported = modules.flatMap((module) => Object.values(module));

/** The events that a service must apply, of all services. */
export function eventsConsumedBy(service: string): readonly Event[] {
  return exported.filter(isEvent).filter(({ consumers }) => consumers.includes(service));
}

/** The topology of these services, derived from the contracts; keys and permissions are provisioned from it. */
export function topologyOf(services: readonly string[]): Topology {
  const events = exported.filter(isEvent);
  const signals = exported.filter(isSignal);
  const operations = [...exported.filter(isOperation), ...ownOperations(services, events)];
  return Object.fromEntries(
    services.map((service) => [
      service,
      {
        calls: names(operations.filter((op) => callersOf(op).includes(service))),
        publishesTo: sorted(
          events.filter((one) => one.service === service).flatMap(({ consumers }) => consumers),
        ),
        consumesFrom: sorted(
          events.filter(({ consumers }) => consumers.includes(service)).map((one) => one.service),
        ),
        signals: prefixes(signals.filter((one) => one.service === service)),
        receives: prefixes(signals.filter(({ receivers }) => receivers.includes(service))),
        ...(isSharded(service) && { isSharded: true as const }),
      },
    ]),
  );
}

/** The operations that every service answers by itself. */
function ownOperations(services: readonly string[], events: readonly Event[]): Operation[] {
  return services.flatMap((service) => {
    const publishers = sorted(
      events.filter(({ consumers }) => consumers.includes(service)).map((one) => one.service),
    );
    return [healthOperation(service), unprocessedOperation(service, publishers)] as Operation[];
  });
}

function names(operations: readonly Operation[]): readonly string[] {
  return sorted(operations.map(({ name }) => name));
}

function prefixes(signals: readonly Signal[]): readonly string[] {
  return sorted(signals.map(({ signalPrefix }) => signalPrefix));
}

function sorted(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

function isOperation(value: unknown): value is Operation {
  return isObject(value) && 'subject' in value && 'access' in value;
}

function isEvent(value: unknown): value is Event {
  return isObject(value) && 'payload' in value && 'consumers' in value;
}

function isSignal(value: unknown): value is Signal {
  return isObject(value) && 'signalPrefix' in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
