import { readFileSync } from 'node:fs';

const packageFile = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

/** The version of this source. Every package of the workspace has the same one. */
export const sourceVersion = version;

/**
 * The commit that a build names, from `VAULTSVC_REVISION`: a release and the build of an image set it. Other builds name none,
 * so that a commit alone makes no program out of date.
 * @throws when it is no full commit id
 */
function revision(environment: NodeJS.ProcessEnv): string {
  const { VAULTSVC_REVISION: given = '' } = environment;
  if (given === '') return 'development';
  if (/^[0-9a-f]{40}$/.test(given)) return given;
  throw new Error('VAULTSVC_REVISION must be the 40 hexadecimal digits of a commit');
}

/** The constants of `libs/config/src/build-info.ts`. */
export function buildConstants(environment: NodeJS.ProcessEnv = process.env) {
  return { VAULTSVC_VERSION: version, VAULTSVC_REVISION: revision(environment) };
}

/** The same in the form of esbuild's `define`. */
export function buildDefines(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(buildConstants(environment)).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}
