/** A mutant that no test can notice, because it changes nothing that anybody can observe. */
export interface Argued {
  readonly path: string;
  /** The line of the source, without space around it. */
  readonly line: string;
  /** What StrykerJS puts in the place of a part of it. */
  readonly replacement: string;
  /** Why nobody can observe the difference. */
  readonly reason: string;
}

/** Each argument is of one mutant. `npm run mutants:pure` fails for one that is killed, or that is no mutant. */
export const argued: readonly Argued[] = [];
