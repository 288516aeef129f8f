import { dirname } from 'node:path';
import { testsOf } from '../docs/requirement-tests.ts';
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
      .toSorted((a, b) => common(b, path) - common(a, path))
      .slice(0, SPECS_MAX);
  const asked = (site: Site) => [...(site.path.startsWith('libs/contracts/') ? [LAW] : []), ...naming(site)];
  return new Map(sites.map((site) => [site, asked(site)]));
}

/** How many folders two paths share; a contract is near to the service of its folder. */
function common(spec: string, path: string): number {
  const folders = (of: string) => dirname(of.replace(/^libs\/contracts\/src\//, 'apps/')).split('/');
  const [a, b] = [
    folders(spec).filter((name) => name !== 'src'),
    folders(path).filter((name) => name !== 'src'),
  ];
  const different = a.findIndex((name, i) => name !== b[i]);
  return different < 0 ? a.length : different;
}
