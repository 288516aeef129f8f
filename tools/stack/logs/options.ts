import { services } from '../settings.ts';
import { parseCommandLine, UsageError } from '../usage.ts';
import { levels } from './log-entry.ts';

/** The programs of a stack besides the services, by the names of their logs. */
const servers = ['postgres', 'redis', 'nats', 'kms', 'identity', 'mail', 'providers'];

const help = 'npm run logs -- --help';

/** The help of `npm run logs`. */
export const logsUsage = `Prints the logs of the local stack that runs, or ran last, merged by time.

  npm run logs [names] [-- options]

Names: ${services.join(' ')}
  and ${servers.join(' ')}; without names, all in the first line
  With --clusters also the further ones: sparks-1 reporting-1 redis-2 nats-2 postgres-standby …

Options:
  --follow, -f       prints new lines until Ctrl-C          (on a terminal, while the stack runs)
  --no-follow        ends after the lines that exist        (elsewhere)
  --level <level>    least level: ${levels.join(', ')}   (trace)
  --lines, -n <n>    number of lines from before            (200)
  --json             prints JSON lines, as the services write them
  --help, -h         prints this help

Environment:
  VAULTSVC_DIR       folder of the stack                    (.local)

Examples:
  npm run logs sparks
  npm run logs -- --level warn --no-follow
  npm run --silent logs gateway -- --json --lines 1000 | grep req_deGvYlrI48jw5trOyGAamO

Exit code: 0 printed, 1 no stack has run, 2 the command line is wrong.
`;

/**
 * @param found the names that have logs: `npm start -- --clusters` runs more services and servers
 * @returns `names` is empty and `isFollowing` undefined where none was given
 * @throws UsageError
 */
export function readLogsOptions(
  args: string[],
  found: readonly string[],
): {
  needsHelp: boolean;
  names: string[];
  isFollowing: boolean | undefined;
  level: string;
  lines: number;
  isJson: boolean;
} {
  const { values, positionals } = parseCommandLine(
    {
      args,
      allowPositionals: true,
      options: {
        follow: { type: 'boolean', short: 'f' },
        'no-follow': { type: 'boolean' },
        level: { type: 'string', default: 'trace' },
        lines: { type: 'string', short: 'n', default: '200' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      } as const,
    },
    help,
  );
  const known = [...new Set([...services, ...servers, ...found])];
  for (const name of positionals) assertOneOf('service', name, known);
  assertOneOf('level', values.level, levels);
  if (!/^\d{1,7}$/.test(values.lines)) throw new UsageError(`--lines needs a number, not ${values.lines}.`);
  return {
    needsHelp: values.help,
    names: [...new Set(positionals)],
    isFollowing: values['no-follow'] ? false : values.follow,
    level: values.level,
    lines: Number(values.lines),
    isJson: values.json,
  };
}

/** @throws UsageError */
function assertOneOf(kind: string, value: string, known: string[]) {
  if (!known.includes(value)) throw new UsageError(`Unknown ${kind} ${value}. Known: ${known.join(', ')}`);
}
