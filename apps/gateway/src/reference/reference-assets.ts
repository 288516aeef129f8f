/**
 * The files of the viewer that draws the reference. The build and Jest replace this module by them
 * (tools/build/reference-assets.ts); this file only declares their types.
 */
export const version: string = missing();
/** The name of the file that a page imports; it imports the others. */
export const entry: string = missing();
/** Brotli in base64 by name. */
export const files: Readonly<Record<string, string>> = missing();

function missing(): never {
  throw new Error(
    'The build replaces this module by the files of the viewer: see tools/build/reference-assets.ts.',
  );
}
