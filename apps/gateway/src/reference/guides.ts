/** A page of docs/ for authors of clients. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  /** Its first sentence. */
  readonly summary: string;
  readonly html: string;
  readonly sections: readonly GuideSection[];
}

/** A part of a guide under a heading of its own. */
export interface GuideSection {
  /** The id of the heading; empty for the beginning of the guide. */
  readonly anchor: string;
  readonly title: string;
  /** Without markup. */
  readonly text: string;
}

/**
 * The guides in reading order. The build and Jest replace this module by them (tools/build/guides.ts); this file only
 * declares their type.
 */
export const guides: readonly Guide[] = missing();

function missing(): never {
  throw new Error('The build replaces this module by the guides: see tools/build/guides.ts.');
}
