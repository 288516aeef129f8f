import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

const extension = '.log';

/** @param logs a start writes new logs and keeps those of the previous one */
export function rotateLogs(logs: string): void {
  for (const name of readdirSync(logs).filter((file) => file.endsWith(extension)))
    renameSync(join(logs, name), join(logs, `${name}.1`));
}

/** The services and servers that have logs since the last start. Single programs of a service have a dot in their name. */
export function namesWithLogs(logs: string): string[] {
  if (!existsSync(logs)) return [];
  return readdirSync(logs)
    .filter((file) => file.endsWith(extension))
    .map((file) => file.slice(0, -extension.length))
    .filter((name) => !name.includes('.'))
    .sort();
}
