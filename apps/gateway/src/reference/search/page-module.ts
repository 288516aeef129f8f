/**
 * The script of the search as a string: the bundle of `client/main.ts`, which pages import when somebody searches. The build and
 * Jest replace this module by it (tools/build/page-module.ts); this file only declares its type.
 */
export const pageModule: string = missing();

function missing(): never {
  throw new Error(
    'The build replaces this module by the script of the search: see tools/build/page-module.ts.',
  );
}
