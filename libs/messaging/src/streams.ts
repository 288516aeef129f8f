import {
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';

/** The stream of events. It persists its messages, so events carry ids and figures, never secrets. */
export const EVENTS_STREAM = 'EVENTS';
export const EVENT_SUBJECTS = ['evt.>'];

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long the stream deduplicates by message id. It saves work; the guarantee is the table `processed`. */
const DUPLICATE_WINDOW_MS = 2 * 60 * 1_000;

/**
 * Creates the stream if it is missing; the outboxes can refill it. An existing stream is left unchanged, because an operator
 * may have set other limits.
 * @param replicas of a stream that is created
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

/** Two services that start together may both create it: JetStream accepts an identical stream. */
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
