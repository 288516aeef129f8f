import { parseArgs } from 'node:util';
import type { ServiceConfig } from '@vaultsvc/config';
import { collectSupport } from './collect-support.js';
import { tarGz } from './tar-gz.js';

const USAGE = `Usage: support-bundle [--log FILE]... > bundle.tar.gz
  writes versions, settings without secrets, readiness, metrics and the end of log files as a gzipped tar archive
  --json  writes the files as one JSON object instead`;

const options = {
  log: { type: 'string', multiple: true, default: [] as string[] },
  json: { type: 'boolean', default: false },
} as const;

/** The program `support-bundle` of a service: it needs the settings of the service and writes to standard output alone. */
export async function runSupportBundle(service: string, config: new () => ServiceConfig): Promise<void> {
  const values = read(process.argv.slice(2));
  if (!values || (process.stdout.isTTY && !values.json)) {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 2;
    return;
  }
  const files = await collectSupport({ service, config, logs: values.log });
  process.stdout.write(values.json ? JSON.stringify(files) : tarGz(files));
}

function read(args: string[]) {
  try {
    return parseArgs({ args, options }).values;
  } catch {
    return undefined;
  }
}
