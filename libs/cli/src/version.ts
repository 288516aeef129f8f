/** The version of `package.json`, which the bundle does not include. */
export const VERSION = '0.1.0';
