import { sendDirectly } from './redirect-error.js';

/**
 * Sends a request, without following redirects. The time limit is for the head of the response; its body may take longer.
 * @param signal of the caller; that of a cloned request is lost to the garbage collector in Node
 */
export async function answered(
  send: (request: Request) => Promise<Response>,
  request: Request,
  { seconds, signal }: { seconds: number; signal: AbortSignal },
): Promise<Response> {
  const control = new AbortController();
  const abort = () => control.abort(signal.reason);
  const timer = setTimeout(
    () => control.abort(new DOMException('There was no response in time.', 'TimeoutError')),
    seconds * 1_000,
  );
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await sendDirectly(send, new Request(request, { signal: control.signal }));
  } finally {
    clearTimeout(timer);
  }
}
