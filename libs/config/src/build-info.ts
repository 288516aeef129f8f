/** Which build of the product runs. */
export interface BuildInfo {
  /** The version of `package.json`. */
  readonly version: string;
  /** The commit that was built, 40 hexadecimal digits; `development` of a build that names none. */
  readonly revision: string;
}

// The build replaces these names by their values (tools/build/build-constants.ts).
declare const VAULTSVC_VERSION: string;
declare const VAULTSVC_REVISION: string;

/** Version and commit of the running program. They are part of its code: no setting and no file can change them. */
export function buildInfo(): BuildInfo {
  return { version: VAULTSVC_VERSION, revision: VAULTSVC_REVISION };
}
