import {
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
} from '@nats-io/jetstream';
import type { StreamLayout } from '@vaultsvc/config';
import { nanos, type NatsConnection } from '@nats-io/transport-node';

/** The stream of all events. It persists its messages, so events carry ids and figures, never secrets. */
export const EVENTS_STREAM = 'EVENTS';
export const EVENT_SUBJECTS = ['evt.>'];

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long the stream deduplicates by message id. It saves work; the guarantee is the table `processed`. */
const DUPLICATE_WINDOW_MS = 2 * 60 * 1_000;

/** JetStream: another stream has some of the subjects. */
const SUBJECTS_OVERLAP = 10_065;

/** A stream, and what its creation needs to know. */
export interface EventStream {
  readonly name: string;
  readonly subjects: readonly string[];
  /** Of a stream that is created. */
  readonly replicas: number;
}

/** The stream of the events of a service: that of all events, or one of its own, whose leader serves no other (`EVENT_STREAMS`). */
export function streamOf(source: string, layout: StreamLayout, replicas: number): EventStream {
  return layout === 'one'
    ? { name: EVENTS_STREAM, subjects: EVENT_SUBJECTS, replicas }
    : { name: `${EVENTS_STREAM}-${source}`, subjects: [`evt.${source}.>`], replicas };
}

/**
 * Creates the stream if it is missing; the outboxes can refill it. An existing stream is left unchanged, because an operator
 * may have set other limits.
 * @throws Error if streams of the other layout have its subjects
 */
export async function ensureStream(
  connection: NatsConnection,
  stream: EventStream,
): Promise<JetStreamManager> {
  const manager = await jetstreamManager(connection);
  if (!(await exists(manager, stream.name))) await addStream(manager, stream);
  return manager;
}

async function exists(manager: JetStreamManager, name: string): Promise<boolean> {
  try {
    await manager.streams.info(name);
    return true;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound) return false;
    throw error;
  }
}

/** Two services that start together may both create it: JetStream accepts an identical stream. */
async function addStream(
  manager: JetStreamManager,
  { name, subjects, replicas }: EventStream,
): Promise<void> {
  try {
    await manager.streams.add({
      name,
      subjects: [...subjects],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      max_age: nanos(7 * DAY_MS),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
      num_replicas: replicas,
    });
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== SUBJECTS_OVERLAP) throw error;
    throw new Error(
      `the stream ${name} cannot be made beside those of the other EVENT_STREAMS: all services have the same setting, and a change of it deletes the streams first (provision delete-stream)`,
      { cause: error },
    );
  }
}
