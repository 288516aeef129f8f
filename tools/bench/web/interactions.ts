// Interaction to Next Paint, as the browser reports it (Event Timing, W3C).
import type { Page } from 'playwright-core';

/** The least duration that the specification lets a page ask for. An input that was answered sooner counts as this. */
const SHORTEST_MS = 16;

/** Notes from now on how long each input of a person waited for the next picture, in each document of the page. */
export function watchInteractions(page: Page) {
  return page.addInitScript(`
    globalThis.byInput = new Map();
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries())
        if (interactionId > 0) byInput.set(interactionId, Math.max(duration, byInput.get(interactionId) ?? 0));
    }).observe({ type: 'event', durationThreshold: ${SHORTEST_MS}, buffered: true });`);
}

/** The milliseconds of the inputs since the last call. */
export async function interactions(page: Page): Promise<number[]> {
  // An entry comes after its picture.
  await page.waitForTimeout(500);
  return page.evaluate<number[]>(
    '(() => { const all = [...byInput.values()]; byInput.clear(); return all; })()',
  );
}
