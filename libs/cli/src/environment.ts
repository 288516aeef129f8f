import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment variables that the CLI reads. */
export interface Environment {
  /** Origin of the API. */
  readonly url?: string;
  readonly apiKey?: string;
  /** The folder of credentials. */
  readonly configDir: string;
  /** The folder of unfinished transfers. */
  readonly stateDir: string;
  /** What starts this program again, to open a link; undefined within another program. */
  readonly self?: readonly string[];
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Names of the variables that a program of `secrets run` does not inherit: it gets its own values only. */
export const ownVariables: readonly string[] = ['VAULTSVC_URL', 'VAULTSVC_API_KEY'];

/** An empty variable counts as absent (XDG Base Directory Specification, for its own variables). */
export function readEnvironment(variables: Variables = process.env): Environment {
  return {
    url: variables.VAULTSVC_URL || undefined,
    apiKey: variables.VAULTSVC_API_KEY || undefined,
    configDir: folder(variables.XDG_CONFIG_HOME, '.config'),
    stateDir: folder(variables.XDG_STATE_HOME, '.local/state'),
  };
}

/** The environment of a program of `secrets run`. */
export function programEnvironment(
  values: Readonly<Record<string, string>>,
  variables: Variables = process.env,
): Record<string, string | undefined> {
  const inherited = Object.entries(variables).filter(([name]) => !ownVariables.includes(name));
  return { ...Object.fromEntries(inherited), ...values };
}

/** A relative path is ignored, as the specification demands. */
function folder(base: string | undefined, fallback: string): string {
  return join(base?.startsWith('/') ? base : join(homedir(), fallback), 'vaultsvc');
}
