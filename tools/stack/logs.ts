// npm run logs: prints the logs of the local stack to read, see logs/options.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isInstance } from './instances.ts';
import type { Owner } from './lock.ts';
import { formatEntry } from './logs/format-entry.ts';
import { isAtLeast, type LogEntry } from './logs/log-entry.ts';
import { LogFile } from './logs/log-file.ts';
import { logsUsage, readLogsOptions } from './logs/options.ts';
import { namesWithLogs } from './logs/rotation.ts';
import { readJson } from './private-files.ts';
import { isRunning } from './servers/children.ts';
import { stackPaths } from './settings.ts';
import { UsageError } from './usage.ts';

const pollMs = 200;

const paths = stackPaths(process.env);

type Options = ReturnType<typeof readLogsOptions>;

function lineOf({ isJson }: Options, entry: LogEntry) {
  if (!isJson)
    return formatEntry(entry, { hasColors: process.stdout.isTTY === true && !process.env.NO_COLOR });
  const { time, level, source: service, message: msg } = entry;
  return entry.json ?? JSON.stringify({ level, time, service, msg });
}

/**
 * Prints the entries that were written since the last call, ordered by time.
 * @param limit prints only the newest
 */
function printNew(files: LogFile[], options: Options, limit: number = Infinity) {
  const entries = files.flatMap((file) => file.read()).filter((entry) => isAtLeast(entry, options.level));
  entries.sort((a, b) => a.time - b.time);
  const shown = entries.slice(Math.max(0, entries.length - limit));
  process.stdout.write(shown.map((entry) => `${lineOf(options, entry)}\n`).join(''));
}

/**
 * Adds the logs that were not read before. A start of the stack writes some of them late.
 * @param files by name
 * @param names those to print; all services where it is empty
 */
function addFiles(files: Map<string, LogFile>, logs: string, names: readonly string[]) {
  const isWanted = (name: string) => (names.length > 0 ? names.includes(name) : isInstance(name));
  for (const name of namesWithLogs(logs).filter((each) => isWanted(each) && !files.has(each)))
    files.set(name, new LogFile(name, join(logs, `${name}.log`), isInstance(name) ? undefined : 'info'));
}

async function printLogs(options: Options) {
  const { logs, lock, dir } = paths;
  if (!existsSync(logs))
    throw new Error(`No stack has run in ${dir}. npm start runs one; VAULTSVC_DIR names another.`);
  const owner = readJson<Owner>(lock);
  const hasStack = owner !== undefined && isRunning(owner);
  if (!hasStack) process.stderr.write(`No stack runs in ${dir}; these are the logs of its last run.\n`);
  const files = new Map<string, LogFile>();
  addFiles(files, logs, options.names);
  printNew([...files.values()], options, options.lines);
  const isFollowing = options.isFollowing ?? (hasStack && process.stdout.isTTY === true);
  while (isFollowing) {
    await delay(pollMs);
    addFiles(files, logs, options.names);
    printNew([...files.values()], options);
  }
}

function fail(error: unknown) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

// Ctrl-C ends the output as requested, and so does a reader that has seen enough (`npm run logs | head`).
process.on('SIGINT', () => process.exit(0));
process.stdout.on('error', () => process.exit(0));

try {
  const options = readLogsOptions(process.argv.slice(2), namesWithLogs(paths.logs));
  if (options.needsHelp) process.stdout.write(logsUsage);
  else await printLogs(options);
} catch (error) {
  fail(error);
}
