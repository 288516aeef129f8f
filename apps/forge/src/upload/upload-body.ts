import type { IncomingMessage } from 'node:http';
import { finished, type Transform } from 'node:stream';
import { clearInterval, setInterval } from 'node:timers';
import { AppError, validationError } from '@vaultsvc/contracts';
import { ConnectionClosed, readBody, sendContinue } from '@vaultsvc/http';
import { Counter } from 'prom-client';
import type { ForgeExchange } from '../exchange/forge-exchange.js';
import type { UploadTimeouts } from './upload-timeouts.js';

const ended = new Counter({
  name: 'vaultsvc_chunks_ended_total',
  help: 'Chunks ended while they were received: slow, below the minimal rate; share, because others waited.',
  labelNames: ['reason'],
});

/** The pipe from the body of a request into a stream. */
export interface BodyPipe {
  /** Bytes of the body that were received so far. */
  readonly receivedBytes: number;
  /** Disconnects the client, to make room for the chunk of another account. */
  endForOthers(): void;
  /** Stops the pipe and discards the rest of the body. */
  stop(): void;
}

/**
 * Pipes the body of a request into a stream, with backpressure. A client that disconnects or is too slow destroys the
 * stream with `ConnectionClosed`. A failing stream leaves the request open for a response.
 */
export function pipeBody(
  { request, response }: ForgeExchange,
  stream: Transform,
  timeouts: UploadTimeouts,
): BodyPipe {
  let receivedBytes = 0;
  const count = ({ length }: Buffer) => void (receivedBytes += length);
  const cut = (message: string) => stream.destroy(new ConnectionClosed(message));
  const end = (reason: 'slow' | 'share', message: string) => {
    ended.inc({ reason });
    cut(message);
  };
  const stopListening = finished(request, { writable: false }, (error) => {
    if (error) cut('the caller closed the connection');
  });
  const isWaitingForClient = () => !request.complete && !stream.writableNeedDrain;
  const onSlow = () => end('slow', 'the caller sent too slowly');
  const stopWatching = watchRate({ request, isWaitingForClient, onSlow }, timeouts);
  sendContinue(request, response);
  request.on('data', count).pipe(stream);
  return {
    get receivedBytes() {
      return receivedBytes;
    },
    endForOthers: () => end('share', 'chunks of another account waited'),
    stop: () => {
      stopWatching();
      stopListening();
      request.off('data', count).unpipe(stream).resume();
    },
  };
}

const CHECKS_PER_WINDOW = 30;

interface WatchedRequest {
  readonly request: IncomingMessage;
  /** False while the store is waited for; that time does not count. */
  readonly isWaitingForClient: () => boolean;
  readonly onSlow: () => void;
}

/** Calls `onSlow` within two windows when the client sends too slowly. Returns the function that stops the checks. */
export function watchRate(
  { request, isWaitingForClient, onSlow }: WatchedRequest,
  timeouts: UploadTimeouts,
): () => void {
  const bytesMin = (timeouts.chunkBytesPerSecondMin * timeouts.chunkWindowMs) / 1_000;
  const { socket } = request;
  let [checks, bytes] = [0, socket.bytesRead];
  const timer = setInterval(() => {
    if (!isWaitingForClient()) return;
    checks += 1;
    if (checks < CHECKS_PER_WINDOW) return;
    if (socket.bytesRead - bytes < bytesMin) onSlow();
    [checks, bytes] = [0, socket.bytesRead];
  }, timeouts.chunkWindowMs / CHECKS_PER_WINDOW);
  timer.unref();
  return () => clearInterval(timer);
}

const EMPTY_BODY_TIMEOUT_MS = 10_000;

/**
 * Refuses a body in POST, because creation-with-upload is not offered and its bytes would be lost (OPEN-14). A proxy may
 * send an empty body in chunked encoding; its end is waited for, up to a timeout.
 */
export async function assertEmptyBody({ request, response }: ForgeExchange): Promise<void> {
  const timer = setTimeout(() => request.destroy(), EMPTY_BODY_TIMEOUT_MS);
  try {
    await readBody(request, response, 0);
  } catch (error) {
    throw error instanceof AppError ? validationError({ field: 'body', message: 'must be empty' }) : error;
  } finally {
    clearTimeout(timer);
  }
}
