import { finished, type Transform } from 'node:stream';
import { ConnectionClosed, sendContinue } from '@vaultsvc/http';
import type { Exchange } from '../server/exchange.js';
import type { Pace } from './pace.js';
import { watchRate } from './watch-rate.js';

/**
 * Lets the body of a request flow into a stream, at the stream's pace. A caller who goes away or is too slow destroys the
 * stream with `ConnectionClosed`; a stream that fails leaves the request alone, which is to be answered yet. Gives the
 * function that ends the flow: what is left of the body is dropped.
 */
export function flowInto({ request, response }: Exchange, stream: Transform, pace: Pace): () => void {
  const cut = (reason: string) => stream.destroy(new ConnectionClosed(reason));
  const forget = finished(request, { writable: false }, (error) => {
    if (error) cut('the caller closed the connection');
  });
  const isCallersTurn = () => !request.complete && !stream.writableNeedDrain;
  const onSlow = () => cut('the caller sent too slowly');
  const unwatch = watchRate({ request, isCallersTurn, onSlow }, pace);
  sendContinue(request, response);
  request.pipe(stream);
  return () => {
    unwatch();
    forget();
    request.unpipe(stream).resume();
  };
}
