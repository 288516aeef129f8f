export { Bus, ServiceUnavailable } from './bus.js';
export { Consumes, ConsumesPartitioned, consumersOf, Handles, handlersOf } from './decorators.js';
export { MessagingModule } from './messaging.module.js';
export { MessagingRuntime, NATS } from './messaging-runtime.js';
export { Outbox } from './outbox.js';
export { OutboxReconciler } from './outbox-reconciler.js';
export { OutboxRelay } from './outbox-relay.js';
export { EVENTS_STREAM, EVENT_SUBJECTS } from './streams.js';
export { CreateMessagingTables1700000000000 } from './tables/index.js';
