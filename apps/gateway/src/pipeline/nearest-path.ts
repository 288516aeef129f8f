import { Injectable } from '@nestjs/common';
import { NearNames } from '@vaultsvc/contracts';
import { Router } from './router.js';

/** A declared path with its segments; each fixed one with the segments that are near it. */
interface Template {
  readonly path: string;
  readonly segments: readonly (NearSegment | undefined)[];
}

interface NearSegment {
  readonly text: string;
  readonly near: NearNames;
}

/** Finds the declared path that an unknown one is probably meant to be, to name it in the error. */
@Injectable()
export class NearestPath {
  readonly #templates: readonly Template[];

  constructor(router: Router) {
    this.#templates = router.paths.map((path) => ({ path, segments: segmentsOf(path).map(nearSegment) }));
  }

  /** The template of the path, never its values; undefined where none is near. Slashes too many do not count. */
  find(path: string): string | undefined {
    const given = segmentsOf(path);
    let nearest: string | undefined;
    let fewest = Infinity;
    for (const template of this.#templates) {
      const differences = differencesOf(template, given);
      if (differences >= fewest) continue;
      [nearest, fewest] = [template.path, differences];
    }
    return nearest;
  }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** undefined for a parameter. */
function nearSegment(text: string): NearSegment | undefined {
  return text.startsWith('{') ? undefined : { text, near: new NearNames([text]) };
}

/** Fixed segments that differ, and parameters, for which any text stands; infinite for a path that is not near. */
function differencesOf({ segments }: Template, given: readonly string[]): number {
  if (segments.length !== given.length) return Infinity;
  let differences = 0;
  for (const [index, segment] of segments.entries()) {
    const text = given[index] as string;
    if (segment?.text === text) continue;
    if (segment?.near.find(text) === undefined && segment !== undefined) return Infinity;
    differences += 1;
  }
  return differences;
}
