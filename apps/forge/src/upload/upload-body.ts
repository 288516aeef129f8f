import { finished, type Transform } from 'node:stream';
import { ConnectionClosed, readBody, sendContinue } from '@vaultsvc/http';
import type { Exchange } from '../server/exchange.js';
import type { UploadTimeouts } from './upload-timeouts.js';
import type { IncomingMessage } from 'node:http';
import { clearInterval, setInterval } from 'node:timers';
import { AppError, validationError } from '@vaultsvc/contracts';

/**
 * Lets the body of a request flow into a stream, at the stream's pace. A caller who goes away or is too slow destroys the
 * stream with `ConnectionClosed`; a stream that fails leaves the request alone, which is to be answered yet. Gives the
 * function that ends the flow: what is left of the body is dropped.
 */
export function pipeBody(
  { request, response }: Exchange,
  stream: Transform,
  pace: UploadTimeouts,
): () => void {
  const cut = (reason: string) => stream.destroy(new ConnectionClosed(reason));
  const forget = finished(request, { writable: false }, (error) => {
    if (error) cut('the caller closed the connection');
  });
  const isCallersTurn = () => !request.complete && !stream.writableNeedDrain;
  const onSlow = () => cut('the caller sent too slowly');
  const unwatch = cutSlowSender({ request, isCallersTurn, onSlow }, pace);
  sendContinue(request, response);
  request.pipe(stream);
  return () => {
    unwatch();
    forget();
    request.unpipe(stream).resume();
  };
}

const LOOKS_PER_WINDOW = 30;

interface Watched {
  readonly request: IncomingMessage;
  /** Whether the caller is waited for. Time in which the store is waited for does not count. */
  readonly isCallersTurn: () => boolean;
  readonly onSlow: () => void;
}

/** Notices a caller who sends too slowly, within twice the window. Gives the function that ends the watch. */
export function cutSlowSender({ request, isCallersTurn, onSlow }: Watched, pace: UploadTimeouts): () => void {
  const bytesMin = (pace.chunkBytesPerSecondMin * pace.chunkWindowMs) / 1_000;
  const { socket } = request;
  let [looks, bytes] = [0, socket.bytesRead];
  const timer = setInterval(() => {
    if (!isCallersTurn()) return;
    looks += 1;
    if (looks < LOOKS_PER_WINDOW) return;
    if (socket.bytesRead - bytes < bytesMin) onSlow();
    [looks, bytes] = [0, socket.bytesRead];
  }, pace.chunkWindowMs / LOOKS_PER_WINDOW);
  timer.unref();
  return () => clearInterval(timer);
}

const WITHIN_MS = 10_000;

/**
 * Creation-with-upload is not offered: bytes that came with a POST would be lost, so none may (OPEN-14). A proxy that
 * does not know the length may send an empty body in chunks; its end is waited for, and not for ever.
 */
export async function assertEmptyBody({ request, response }: Exchange): Promise<void> {
  const timer = setTimeout(() => request.destroy(), WITHIN_MS);
  try {
    await readBody(request, response, 0);
  } catch (error) {
    throw error instanceof AppError ? validationError({ field: 'body', message: 'must be empty' }) : error;
  } finally {
    clearTimeout(timer);
  }
}
