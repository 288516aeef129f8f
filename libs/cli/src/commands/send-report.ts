import { setTimeout as delay } from 'node:timers/promises';
import type { Client, Schema } from '@vaultsvc/client';
import type { CliContext } from '../cli-context.js';
import { exitCodes } from '../exit-codes.js';
import { Interrupted } from '../failures.js';
import type { Output } from '../terminal/output.js';
import { printTable, type Column } from '../terminal/table.js';
import { timeText } from '../terminal/time-text.js';

/** A send with the state of each recipient and channel. */
export type SendReport = Schema<'SendReport'>;

interface Row {
  readonly recipient: string;
  readonly seen_at: number | null;
  readonly delivery: Partial<Schema<'DeliveryReport'>>;
}

const POLL_MS = 1_000;

const columns: readonly Column<Row>[] = [
  { heading: 'RECIPIENT', text: ({ recipient }) => recipient },
  { heading: 'CHANNEL', text: ({ delivery }) => delivery.channel ?? '-' },
  { heading: 'STATE', text: ({ delivery }) => delivery.state ?? '-' },
  { heading: 'OPENED', text: ({ seen_at }) => timeText(seen_at) },
  { heading: 'REASON', text: ({ delivery }) => delivery.reason ?? '-' },
];

export async function readReport(client: Client, send_id: string): Promise<SendReport> {
  const params = { path: { send_id } };
  return (await client.GET('/v1/products/notify/sends/{send_id}', { params })).data;
}

/**
 * Reads a send again and again, until nothing of it is due any more: later steps of an escalation are not waited for.
 * @throws Interrupted at Ctrl-C
 */
export async function waitForDeliveries(
  { signal }: CliContext,
  client: Client,
  send_id: string,
): Promise<SendReport> {
  try {
    for (;;) {
      const report = await readReport(client, send_id);
      const deliveries = report.recipient_states.flatMap((recipient) => recipient.deliveries);
      const isBegun = deliveries.length > 0 || report.status !== 'pending';
      if (isBegun && deliveries.every(({ state }) => state !== 'queued')) return report;
      await delay(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Interrupted(`The send goes on. vaultsvc notify status ${send_id} shows what becomes of it.`);
  }
}

/** Prints a line for each recipient and channel. */
export function printReport(output: Output, report: SendReport): void {
  const rows = report.recipient_states.flatMap(({ recipient, seen_at, deliveries }): Row[] => {
    if (deliveries.length === 0) return [{ recipient, seen_at, delivery: {} }];
    return deliveries.map((delivery) => ({ recipient, seen_at, delivery }));
  });
  printTable(output, report, rows, columns);
}

/** 1 if somebody was not reached by any channel. */
export function exitCodeOf({ status }: SendReport): number {
  return status === 'failed' || status === 'partial' ? exitCodes.failed : exitCodes.ok;
}
