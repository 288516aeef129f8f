import { eventually } from '@vaultsvc/testing/waiting';
import type pg from 'pg';
import type { TemporaryStack } from '../../stack/temporary-stack.ts';
import { countAlteredEvents } from './altered-events.js';
import { countCompared, type AuditRaceReport } from './audit-report.js';
import { EventsOfReporting } from './events-of-reporting.js';
import { readRecordedState, type RecordedState } from './recorded-state.js';
import { deviationsIn } from './reporting-deviations.js';
import { secondOf } from '../second-instance.ts';

/** The fields of `stack.json` that the comparison uses. */
interface Descriptor {
  readonly nats_url: string;
  readonly services: Readonly<Record<string, { readonly private_url: string }>>;
}

const INSTANCES = ['reporting', secondOf('reporting')];
/** JetStream redelivers what a killed instance had received after 30 s, and failed transactions up to two minutes later. */
const SETTLE_SECONDS = 240;

/**
 * Compares reporting with the events that stand, once all of them are applied, and again after reporting received all of
 * them once more. Adds the deviations to the report.
 */
export async function compareReporting(
  stack: Pick<TemporaryStack, 'descriptor'>,
  pool: pg.Pool,
  report: AuditRaceReport,
): Promise<void> {
  const { nats_url: natsUrl, services } = stack.descriptor() as Descriptor;
  const stream = await EventsOfReporting.open(natsUrl);
  try {
    const state = await settled(pool, stream, report);
    countCompared(report, state);
    report.deviations.push(...deviationsIn(state, report.log));
    if (report.deviations.length > 0) return;
    await stream.redeliverAll();
    const deviations = deviationsIn(await settled(pool, stream, report), report.log);
    report.deviations.push(...deviations.map((deviation) => `after redelivery, ${deviation}`));
    const altered = await countAlteredEvents(INSTANCES.map((name) => services[name]?.private_url ?? ''));
    if (altered > 0) report.deviations.push(`${altered} redelivered events differ from the ledger`);
  } finally {
    await stream.close();
  }
}

/** Waits until nothing is under way and nothing deviates; after four minutes, what the databases show is final. */
async function settled(
  pool: pg.Pool,
  stream: EventsOfReporting,
  { log }: AuditRaceReport,
): Promise<RecordedState> {
  const isSettled = async () =>
    !(await stream.isPending()) &&
    deviationsIn(await readRecordedState(pool), log).length === 0 &&
    !(await stream.isPending());
  await eventually(() => isSettled().catch(() => false), Boolean, SETTLE_SECONDS).catch(() => undefined); // The caller reports the deviations.
  return readRecordedState(pool);
}
