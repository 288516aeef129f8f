import { lazy, Suspense, type ReactNode } from 'react';
import { loadPart } from '../api/load-part.js';
import { Loading } from '../ui/states.js';
import type { PlaceRoute } from './place-entry.js';

/**
 * The component of a page, loaded when it is first shown. After a failure it is not loaded again, and the page not reloaded, by itself: that would
 * lose what was typed elsewhere.
 */
export function lazyPlace({ load }: PlaceRoute): () => ReactNode {
  const Loaded = lazy(async () => {
    const { Place } = await loadPart(load);
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
