// npm run drill: loses the database of a stack of its own, and restores it from a dump by deploy/restore.md, whose blocks of commands it
// runs as they are written. Ends with 1 and the command that failed, after five minutes at most.
import { appsToBuild, build } from '../stack/build.ts';
import { say, seconds, step } from '../stack/progress.ts';
import { drill } from './drill.ts';
import { DrillStack } from './drill-stack.ts';

const MINUTES = 5;

const apps = appsToBuild({ isOne: false });
if (apps.length > 0) await step('building the services', () => build(apps));
const startedAt = Date.now();
const limit = AbortSignal.timeout(MINUTES * 60_000);
const ended = new Promise<never>((_, reject) => {
  limit.onabort = () => reject(new Error(`The drill has not ended after ${MINUTES} minutes.`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => reject(new Error(`The drill was stopped by ${signal}.`)));
});
const stack = await DrillStack.make();
try {
  await Promise.race([drill(stack), ended]);
  say(`\n  The restore by deploy/restore.md holds; ${seconds(startedAt)}.`);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await stack.remove();
  say('  and deleted, because it was that of a drill');
}
process.exit();
