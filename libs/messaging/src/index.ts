export { Bus, ServiceUnavailable } from './bus.js';
export { CallKeys } from './call-keys.js';
export { Consumes, ConsumesPartitioned, ConsumesRepeats, Handles, type PatternExtras } from './decorators.js';
export { eventSubject, packEvents, type EventMessage } from './event-batch.js';
export { connectNats } from './connection.js';
export { lackOf, NatsUnusable, weaknessOf } from './nats-server.js';
export { MessagingModule } from './messaging.module.js';
export { NATS } from './messaging-options.js';
export { MessagingTransport } from './messaging-transport.js';
export { OperationServer } from './operation-server.js';
export { Outbox } from './outbox.js';
export { OutboxReconciler } from './outbox-reconciler.js';
export { OutboxRelay } from './outbox-relay.js';
export {
  ProviderGuard,
  type AdmittedRequest,
  type Answered,
  type ProviderDelivery,
  type ProviderRequest,
} from './provider-guard.js';
export { describeServer, keysMissing } from './server-description.js';
export { Signals } from './signals.js';
export { StartConditions } from './start-conditions.js';
export { EVENTS_STREAM, EVENT_SUBJECTS, streamOf, type EventStream } from './streams.js';
export { serviceStorage } from './tables/index.js';
export { UnhandledErrorFilter } from './unhandled-error.filter.js';
