import { DnsServer } from '@vaultsvc/testing/dns';
import pg from 'pg';
import { startTemporaryStack, type TemporaryStack } from '../../stack/temporary-stack.ts';
import { randomFrom } from '../../test/random.ts';
import { secondOf, withSecondInstance } from '../second-instance.ts';
import { injectStackFaults } from '../stack-faults.js';
import { newAuditReport, type AuditRaceReport } from './audit-report.js';
import { makeChanges } from './change-traffic.js';
import { ChangingAccount, type Origins, type Surroundings } from './changing-account.js';
import { keepSentEvents } from './recorded-state.js';
import { compareReporting } from './reporting-comparison.js';
import { logDeviations, pinCheckpoint } from './transparency-log.js';

export interface AuditRaceOptions {
  /** Acknowledged changes, at least. */
  readonly changes: number;
  /** Kills, at least. */
  readonly kills: number;
  /** Repeats the choice of changes and victims, but not their moments. */
  readonly seed: number;
  /** Called before each change. */
  readonly onProgress?: (report: AuditRaceReport) => void;
}

/** The fields of `stack.json` that the race uses. */
interface Descriptor extends Origins {
  readonly postgres_url: string;
}

const SECOND = secondOf('reporting');
const ACCOUNTS = 4;
const PAUSE_MS_MAX = 1_500;
/** Half of the kills hit reporting. */
const VICTIMS: readonly string[] = [
  ...['reporting', SECOND, 'reporting', SECOND, 'reporting', SECOND, 'nats', 'postgres'],
  ...['auth', 'sparks', 'vaults', 'forge', 'gateway'],
];

/**
 * Callers of several accounts make changes of all kinds over HTTP, while two instances of reporting, the other services, NATS
 * and PostgreSQL are killed at random moments. Afterwards audit log, ledger, pools and counters must show exactly the changes that
 * stand, and still do so after reporting received all events once more; and the transparency log must continue its state of
 * before the faults.
 */
export async function runAuditRaces(options: AuditRaceOptions): Promise<AuditRaceReport> {
  const dns = await DnsServer.start();
  const stack = await startTemporaryStack({
    settings: { DNS_RESOLVERS: dns.address, AUDIT_LOG_EVERY_SECONDS: '1' },
  });
  let stop = stack.stop;
  try {
    const doubled = await withSecondInstance(stack, 'reporting');
    stop = doubled.stop;
    return await race(doubled, dns, options);
  } finally {
    await stop();
    await dns.stop();
  }
}

async function race(
  stack: TemporaryStack,
  dns: DnsServer,
  options: AuditRaceOptions,
): Promise<AuditRaceReport> {
  const origins = stack.descriptor() as Descriptor;
  const report = newAuditReport(options.seed);
  const pool = new pg.Pool({ connectionString: origins.postgres_url, max: 2 });
  pool.on('error', () => undefined); // PostgreSQL is killed; the next query connects again.
  try {
    await keepSentEvents(pool);
    const around = {
      origins,
      dns,
      log: report.log,
      random: randomFrom(options.seed),
      expire: expiryIn(pool),
    };
    const accounts = await Promise.all(
      Array.from({ length: ACCOUNTS }, () => ChangingAccount.signUp(around)),
    );
    const pinned = await pinCheckpoint(origins.api_url);
    await changeUnderFaults(stack, options, report, (isEnough) => makeChanges(accounts, around, isEnough));
    await compareReporting(stack, pool, report);
    for (const account of accounts) report.deviations.push(...(await logDeviations(account, pinned)));
    return report;
  } finally {
    await pool.end();
  }
}

/** Ends after enough changes and kills, when all processes are ready again. */
async function changeUnderFaults(
  stack: TemporaryStack,
  { changes, kills, seed, onProgress }: AuditRaceOptions,
  report: AuditRaceReport,
  change: (isEnough: () => boolean) => Promise<void>,
): Promise<void> {
  const progress = () => report.log.acknowledged.length;
  const stop = new AbortController();
  const faults = injectStackFaults({
    stack,
    victims: VICTIMS,
    kills: report.kills,
    progress,
    signal: stop.signal,
    pauseMsMax: PAUSE_MS_MAX,
    random: randomFrom(seed + 1),
  });
  const isEnough = () => {
    onProgress?.(report);
    return progress() >= changes && killsIn(report) >= kills;
  };
  try {
    await change(isEnough);
  } finally {
    stop.abort();
    await faults;
  }
}

function killsIn({ kills }: AuditRaceReport): number {
  return Object.values(kills).reduce((sum, times) => sum + times, 0);
}

function expiryIn(pool: pg.Pool): Surroundings['expire'] {
  const text = `UPDATE sparks.sparks SET expires_at = now(), due_at = now() WHERE id = $1`;
  return (sparkId) =>
    pool.query(text, [sparkId]).then(
      () => undefined,
      () => undefined, // While PostgreSQL is down the Spark lives on.
    );
}
