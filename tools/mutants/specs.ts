import { testsOf } from '../docs/requirement-tests.ts';
import { nearness } from './nearness.ts';
import type { Site } from './site.ts';

/** A requirement may be named by thirty files; those near the site are asked first. */
const SPECS_MAX = 6;

/** The titles of its tests name the requirements of every operation; they are in the golden table, not in the spec. */
const LAW = 'apps/e2e/src/law/law-openapi.spec.ts';

/**
 * The spec files that name a requirement which each site keeps, the nearest first; journeys through a browser or a built
 * stack are left out, because they would run the product without the mutant.
 */
export function specsOf(sites: readonly Site[]): Map<Site, string[]> {
  const tests = testsOf([...new Set(sites.flatMap(({ ids }) => ids))]);
  const naming = ({ ids, path }: Site) =>
    [...new Set(ids.flatMap((id) => (tests.get(id) ?? []).map((test) => test.path)))]
      .filter((spec) => spec.endsWith('.spec.ts'))
      .toSorted((a, b) => nearness(b, path) - nearness(a, path))
      .slice(0, SPECS_MAX);
  const asked = (site: Site) => [...(site.path.startsWith('libs/contracts/') ? [LAW] : []), ...naming(site)];
  return new Map(sites.map((site) => [site, asked(site)]));
}
