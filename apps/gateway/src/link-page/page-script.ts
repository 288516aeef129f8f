/**
 * The script of the page as a string: the bundle of `client/main.ts`. The build and Jest replace this module by it
 * (tools/build/page-script.ts); this file only declares its type.
 */
export const pageScript: string = missing();

function missing(): never {
  throw new Error(
    'The build replaces this module by the script of the link page: see tools/build/page-script.ts.',
  );
}
