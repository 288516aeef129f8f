/**
 * Script and style of the page of unsubscribe links as strings: the bundles of `client/main.ts` and `client/main.css`. The build
 * and Jest replace this module by them (tools/build/page-script.ts); this file only declares their types.
 */
export const pageScript: string = missing();
export const pageStyle: string = missing();

function missing(): never {
  throw new Error(
    'The build replaces this module by script and style of the page of unsubscribe links: see tools/build/page-script.ts.',
  );
}
