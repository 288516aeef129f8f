import { reapAbandonedRuns } from './run-folder.ts';
import { endRun, startRun } from './test-run.ts';

/** Starts the servers that all spec files of this run share; workers find them by the environment. */
export default async function globalSetup() {
  await reapAbandonedRuns();
  await startRun();
  // Jest does not tear down when it is interrupted.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => void endRun().finally(() => process.exit(130)));
}
