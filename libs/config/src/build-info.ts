/** Which build of the product runs. */
export interface BuildInfo {
  /** The version of `package.json`. */
  readonly version: string;
  /** The commit that was built, 40 hexadecimal digits; `development` of a build that names none. */
  readonly revision: string;
}

/** Version and commit of the running program. */
export function buildInfo(): BuildInfo {
  return { version: '0.1.0', revision: 'development' };
}
