import {
  DatabaseConfig,
  loadServiceConfig,
  parseCommandLine,
  runCommand,
  UsageError,
} from '@vaultsvc/config';
import { applyRestoreFence, type FenceReport, type RestoreFence } from './restore-fence.js';

const USAGE = `Usage: node restore-fence.js --restored-to <time>
  <time> is the point to which the database was restored, with its zone: 2026-11-21T10:15:00Z`;

/** The program `restore-fence` of a service, run after its database was restored and before new traffic. */
export function runRestoreFence(fence: RestoreFence): Promise<void> {
  return runCommand(async () => {
    const restoredTo = readTime(process.argv.slice(2));
    const report = await applyRestoreFence(
      fence,
      loadServiceConfig(fence.service, DatabaseConfig),
      restoredTo,
    );
    for (const line of linesOf(report, restoredTo)) process.stdout.write(`${fence.service}: ${line}\n`);
  });
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/;

/** Rounded up to a millisecond: a row of that moment is fenced, too. */
function readTime(args: readonly string[]): Date {
  const options = { 'restored-to': { type: 'string', default: '' } } as const;
  const { 'restored-to': text } = parseCommandLine({ args: [...args], options }, USAGE).values;
  const time = new Date(text);
  if (!TIME.test(text) || Number.isNaN(time.getTime()))
    throw new UsageError('--restored-to must be a time with its zone.', USAGE);
  return /\.\d{4,}/.test(text) ? new Date(time.getTime() + 1) : time;
}

function linesOf({ appliedBefore, counts }: FenceReport, restoredTo: Date): string[] {
  const point = `restored to ${restoredTo.toISOString()}`;
  if (appliedBefore)
    return [`${point}, fenced already at ${appliedBefore.toISOString()}; nothing was changed`];
  return [point, ...counts.map(({ says, count }) => `${count} ${says}`)];
}
