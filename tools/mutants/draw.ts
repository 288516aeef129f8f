import { randomFrom } from '../test/random.ts';
import { kinds, type Site } from './site.ts';
import { services } from '../stack/settings.ts';

/**
 * Draws sites that a seed repeats, evenly: in turn from each service, and there in turn from each kind that it still has.
 * @param count at most so many
 */
export function draw(sites: readonly Site[], count: number, seed: number): Site[] {
  const random = randomFrom(seed);
  const shuffled = sites
    .map((site) => ({ site, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ site }) => site);
  const queues = services.map((service) => kindsInTurn(shuffled.filter((site) => site.service === service)));
  const drawn: Site[] = [];
  while (drawn.length < count && queues.some((queue) => queue.length > 0))
    for (const queue of queues) drawn.push(...queue.splice(0, 1));
  return drawn.slice(0, count);
}

/** The sites of one service in an order in which the kinds take turns. */
function kindsInTurn(sites: readonly Site[]): Site[] {
  const ofKind = kinds.map((kind) => sites.filter((site) => site.kind === kind));
  const longest = Math.max(...ofKind.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) =>
    ofKind.flatMap((queue) => queue.slice(turn, turn + 1)),
  ).flat();
}
