import type { IncomingMessage } from 'node:http';
import { clearInterval, setInterval } from 'node:timers';
import type { Pace } from './pace.js';

const LOOKS_PER_WINDOW = 30;

interface Watched {
  readonly request: IncomingMessage;
  /** Whether the caller is waited for. Time in which the store is waited for does not count. */
  readonly isCallersTurn: () => boolean;
  readonly onSlow: () => void;
}

/** Notices a caller who sends too slowly, within twice the window. Gives the function that ends the watch. */
export function watchRate({ request, isCallersTurn, onSlow }: Watched, pace: Pace): () => void {
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
