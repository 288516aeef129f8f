import { lazy, Suspense, type ReactNode } from 'react';
import { Loading } from '../ui/states.js';
import type { PlaceRoute } from './place-entry.js';

/** A place could not be loaded: usually a release has replaced its files (Vite's names are hashes). */
export class PlaceNotLoaded extends Error {}

/**
 * The component of a page, loaded when it is first shown. After a failure it is not loaded again, and the page not reloaded, by itself: that would
 * lose what was typed elsewhere.
 */
export function lazyPlace({ load }: PlaceRoute): () => ReactNode {
  const Loaded = lazy(async () => {
    const { Place } = await load().catch((error: unknown) => {
      throw new PlaceNotLoaded('A place was not loaded.', { cause: error });
    });
    return { default: Place };
  });
  return function LazyPlace() {
    return (
      <Suspense fallback={<Loading />}>
        <Loaded />
      </Suspense>
    );
  };
}
