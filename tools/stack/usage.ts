import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A command line that cannot be used. Exit code 2, to distinguish it from a start that failed. */
export class UsageError extends Error {}

/**
 * Parses a command line. An unknown option or argument is an error of the usage.
 * @param help the command that prints the help
 * @throws UsageError
 */
export function parseCommandLine<T extends ParseArgsConfig>(
  config: T,
  help: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const [reason] = (error as Error).message.split('. ');
    throw new UsageError(`${reason}. ${help} lists all options.`);
  }
}

/** The help of `npm start` and `npm run dev`. */
export const startUsage = `Runs the whole platform on this machine, until Ctrl-C, which keeps the data.

  npm start [-- options]        builds what has changed and starts it
  npm run dev [-- options]      the same, rebuilt and restarted after every edit

Options:
  --fresh         deletes the data of this stack first
  --no-install    lists what this machine lacks and ends, instead of installing it
  --clusters      runs three servers of NATS, a Redis Cluster of six, and two shards of
                  accounts; each PostgreSQL has a synchronous standby
  --one           runs all services in one process, as small installations do
  --watch         what npm run dev adds: rebuilds and restarts after every edit
  --help, -h      prints this help

Environment:
  VAULTSVC_PORT   first of its ports; the others are up to 47 above (68 with --clusters)
                                                                                       (8080)
  VAULTSVC_DIR    folder of its data, logs and stack.json, relative to the project     (.local)
  LOG_LEVEL       least level that the services log: error, warn, info, debug, trace   (info)
  VAULTSVC_IMPORT_<SERVICE>
                  module that Node imports before that service, such as a profiler     (none)

  Settings in docs/settings.md pass to the services: RATE_LIMIT_PER_MINUTE=100000 npm start

Examples:
  npm start -- --fresh                                        start again with no data
  VAULTSVC_PORT=9000 VAULTSVC_DIR=.local/second npm start     a second stack beside the first
  npm run logs                                                its logs, in another terminal

Exit code: 0 stopped, 1 the start failed, 2 the command line is wrong.
`;
