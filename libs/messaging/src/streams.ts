import {
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';

/** The stream of facts. Ids and figures only: a stream keeps what passes. */
export const EVENTS_STREAM = 'EVENTS';
export const EVENT_SUBJECTS = ['evt.>'];

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long a stream remembers message ids. A help against doubles, not the guarantee: that is `processed`. */
const DUPLICATE_WINDOW_MS = 2 * 60 * 1_000;

/**
 * Makes the stream when it is missing: JetStream is a courier and can be rebuilt from the outboxes. One that is
 * there stays as it is: an operator may have given it other limits.
 */
export async function ensureEventsStream(
  connection: NatsConnection,
  replicas: number,
): Promise<JetStreamManager> {
  const manager = await jetstreamManager(connection);
  if (!(await exists(manager))) await addStream(manager, replicas);
  return manager;
}

async function exists(manager: JetStreamManager): Promise<boolean> {
  try {
    await manager.streams.info(EVENTS_STREAM);
    return true;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return false;
    throw error;
  }
}

/** Two services that start at once may both do it: the same stream again is no error. */
async function addStream(manager: JetStreamManager, replicas: number): Promise<void> {
  await manager.streams.add({
    name: EVENTS_STREAM,
    subjects: EVENT_SUBJECTS,
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    max_age: nanos(7 * DAY_MS),
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    num_replicas: replicas,
  });
}
