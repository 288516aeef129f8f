/**
 * The files that people install, in base64 by name. The build and Jest replace this module by them
 * (tools/build/install-files.ts); this file only declares their type.
 */
export const installFiles: Readonly<Record<string, string>> = missing();

function missing(): never {
  throw new Error(
    'The build replaces this module by the files of an installation: see tools/build/install-files.ts.',
  );
}
