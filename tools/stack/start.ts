import { Launcher } from './launcher.ts';
import { say } from './progress.ts';
import { readSettings } from './settings.ts';
import { startUsage, UsageError } from './usage.ts';

// The reader of the output may exit first (`npm start | head`); the stack keeps running.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

function fail(error: unknown) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** Exits when help is asked for, or when the command line or the environment is invalid. */
function settings() {
  try {
    const read = readSettings(process.env, process.argv.slice(2));
    if (!read.needsHelp) return read;
    process.stdout.write(startUsage);
  } catch (error) {
    fail(error);
  }
  process.exit();
}

const launcher = new Launcher(settings());
let isEnding = false;

/** @param error the cause of an unrequested stop */
async function end(error?: unknown) {
  // Stopping a start causes further errors; only the first cause is reported.
  if (isEnding) return;
  isEnding = true;
  if (error) fail(error);
  await launcher.stop().catch(fail);
  process.exit();
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end());
process.on('uncaughtException', (error) => void end(error));
process.on('unhandledRejection', (error) => void end(error));

// npm forwards SIGTERM to its shell only, which exits without forwarding it.
if (['start', 'dev'].includes(process.env.npm_lifecycle_event ?? '')) {
  const shell = process.ppid;
  setInterval(() => process.ppid !== shell && void end(), 250).unref();
}

launcher.start().then((isOurs) => {
  if (!isOurs) process.exit();
  say(`${launcher.banner()}\n  Ctrl-C stops everything and keeps the data.`);
}, end);
