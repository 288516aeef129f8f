import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';

const PART = 'x'.repeat(65_536);

/**
 * Answers 200 with a body of `x` that ends with the connection alone. As a pipeline: a loop that writes again as soon as it has
 * written never lets Node notice that the connection broke, and its process hangs.
 */
export function replyEndlessly(response: ServerResponse): void {
  response.writeHead(200);
  pipeline(Readable.from(parts()), response, () => undefined);
}

function* parts(): Generator<string> {
  for (;;) yield PART;
}
