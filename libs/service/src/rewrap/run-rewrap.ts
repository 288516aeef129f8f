import { loadServiceConfig, parseCommandLine, runCommand, UsageError } from '@vaultsvc/config';
import { Kms, type KmsConfig } from '@vaultsvc/crypto/kms';
import { connectDatabase, type Database, type FurtherDatabase } from '@vaultsvc/database';
import { examineTable, rewrapTable, type RewrapPace, type RewrapReport } from './rewrap-table.js';
import type { WrappedTable } from './wrapped-table.js';

/** A database with wrapped keys. */
export interface WrappedKeysDatabase<C> extends FurtherDatabase<C> {
  tableOf(this: void, database: Database): WrappedTable;
}

/** Where a service keeps wrapped keys. */
export interface RewrapDefinition<C extends KmsConfig = KmsConfig> {
  readonly service: string;
  readonly config: new () => C;
  readonly databases: readonly WrappedKeysDatabase<C>[];
}

/** What to do, by the arguments of the program. */
export interface RewrapOptions extends RewrapPace {
  /** Only count. */
  readonly isCheck: boolean;
}

const USAGE = `Usage: node rewrap.js [--check] [--per-second <keys>] [--batch <keys>]
  Wraps the keys of the service with KMS_PROVIDER's key, and reads former ones with KMS_SECOND_PROVIDER's.
  --check       counts what is left to do and changes nothing
  --per-second  most keys that are moved in a second, 50
  --batch       keys of one read and one line of progress, 200
  The exit code is 0 when nothing is left, else 1.`;

/** The program `rewrap` of a service, run with its settings while it serves. */
export function runRewrap<C extends KmsConfig>(definition: RewrapDefinition<C>): Promise<void> {
  return runCommand(async () => {
    const options = readOptions(process.argv.slice(2));
    const reports = await rewrapAll(
      definition,
      loadServiceConfig(definition.service, definition.config),
      options,
      write,
    );
    process.exitCode = reports.every(({ left }) => left === 0) ? 0 : 1;
  });
}

/**
 * Moves or counts the wrapped keys of a service.
 * @throws KmsUnavailable, after which it can be run again
 */
export async function rewrapAll<C extends KmsConfig>(
  { service, databases }: RewrapDefinition<C>,
  config: C,
  options: RewrapOptions,
  say: (line: string) => void = () => undefined,
): Promise<RewrapReport[]> {
  const kms = new Kms(config.kms);
  try {
    const reports = [];
    for (const place of databases) {
      const database = await connectDatabase(place.settingsOf(config), place.storage);
      try {
        const report = await rewrapOne(place.tableOf(database), kms, options, (line) =>
          say(`${service} ${line}`),
        );
        for (const line of linesOf(report)) say(`${service} ${line}`);
        reports.push(report);
      } finally {
        await database.dataSource.destroy();
      }
    }
    return reports;
  } finally {
    kms.close();
  }
}

function rewrapOne(
  table: WrappedTable,
  kms: Kms,
  options: RewrapOptions,
  say: (line: string) => void,
): Promise<RewrapReport> {
  if (options.isCheck) return examineTable(table, kms, options);
  return rewrapTable(table, kms, options, (examined, moved) =>
    say(`${table.name}: ${examined} keys examined, ${moved} moved`),
  );
}

function linesOf({ table, keys, moved, left, unreadable }: RewrapReport): string[] {
  return [
    ...unreadable.map((id) => `${table}: neither key opens ${id}`),
    `${table}: ${keys} keys, ${moved} moved, ${left} left`,
  ];
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

function readOptions(args: readonly string[]): RewrapOptions {
  const options = {
    check: { type: 'boolean', default: false },
    'per-second': { type: 'string', default: '50' },
    batch: { type: 'string', default: '200' },
  } as const;
  const { values } = parseCommandLine({ args: [...args], options }, USAGE);
  const [perSecond, batch] = [positive('per-second', values), positive('batch', values)];
  return { isCheck: values.check, perSecond, batch };
}

const LARGEST = 10_000;

function positive<N extends string>(name: N, values: Readonly<Record<N, string>>): number {
  const number = Number(values[name]);
  if (/^\d+$/.test(values[name]) && number >= 1 && number <= LARGEST) return number;
  throw new UsageError(`--${name} must be a number from 1 to ${LARGEST}.`, USAGE);
}
