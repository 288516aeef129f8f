import type ts from 'typescript';

/** What a mutant breaks. Faults of these kinds were planted by strangers, and a fifth of them was not noticed. */
export const kinds = [
  'status',
  'where',
  'column',
  'time',
  'event',
  'default',
  'role',
  'limit',
  'error',
  'header',
] as const;

export type Kind = (typeof kinds)[number];

/** A change of a file that compiles and breaks a promise. */
export interface Mutation {
  readonly kind: Kind;
  /** Characters of the file that are replaced, from and to (exclusive). */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A place of the product where a mutant can be planted. */
export interface Site extends Mutation {
  /** Relative to the workspace. */
  readonly path: string;
  readonly line: number;
  /** The service of the file; for a contract, that of its folder. */
  readonly service: string;
  /** The requirements that the place keeps. */
  readonly ids: readonly string[];
}

/** Finds the mutations of one node; they do not overlap those of its children. */
export type Mutator = (node: ts.Node) => readonly Mutation[];

/** The name of a site in reports and in the file of results; equal while the file does not change before it. */
export function nameOf({ path, line, kind, replacement }: Site): string {
  return `${path}:${line} ${kind} ${JSON.stringify(replacement.slice(0, 60))}`;
}

/** The file with the mutant in it. */
export function plant(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
