import { pipeline, type Readable } from 'node:stream';
import { ExactLength } from './exact-length.js';
import { storeFailure } from './failures.js';

/** What a reader gets of a source of the store: so many bytes or an error of ours; the two end together. */
export function exactly(bytes: number, source: Readable): ExactLength {
  const exact = new ExactLength(bytes);
  source.once('error', (error) => {
    // A reader who has gone away, for whatever reason, takes the source along; that is no failure of the store.
    if (!exact.destroyed) exact.destroy(storeFailure('read', error));
  });
  pipeline(source, exact, () => {}); // The reader sees the error on the stream itself.
  return exact;
}
