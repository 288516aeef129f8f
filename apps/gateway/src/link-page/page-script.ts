/**
 * The script of the page as one text: the bundle of `client/main.ts`. The build and Jest put it in the place of this
 * module (tools/build/page-script.mjs); what stands here is its type.
 */
export const pageScript: string = missing();

function missing(): never {
  throw new Error('The build puts the script of the link page here: see tools/build/page-script.mjs.');
}
