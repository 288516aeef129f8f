/** The methods of Forge's paths. HEAD is declared for itself and consumes no ISTK (AMB-42); the GET of health lends it none. */
const declared: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\/encrypt$/, ['HEAD', 'POST']],
  [/^\/encrypt\/[^/]+$/, ['DELETE', 'HEAD', 'PATCH']],
  [/^\/(?:decrypt|progress)$/, ['GET', 'HEAD']],
  [/^\/health$/, ['GET']],
];

/** The methods of a path; none for an unknown path. */
export function methodsOf(path: string): readonly string[] {
  return declared.find(([pattern]) => pattern.test(path))?.[1] ?? [];
}
