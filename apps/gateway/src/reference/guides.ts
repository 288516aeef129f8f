/** A page of docs/ for authors of clients. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly html: string;
}

/**
 * The guides in reading order. The build and Jest replace this module by them (tools/build/guides.ts); this file only
 * declares their type.
 */
export const guides: readonly Guide[] = missing();

function missing(): never {
  throw new Error('The build replaces this module by the guides: see tools/build/guides.ts.');
}
