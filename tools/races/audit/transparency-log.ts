import { Readable } from 'node:stream';
import { eventually } from '@vaultsvc/testing/waiting';
import { ExportProblem, unverifiedCheckpoint, verifyExport } from '@vaultsvc/transparency';
import type { ChangingAccount } from './changing-account.js';

/** Heads are published every second in this stack, and an instance that is killed meanwhile delays that. */
const LOGGED_SECONDS = 60;

/** The checkpoint of the log as anybody can fetch it, once there is one. */
export async function pinCheckpoint(apiUrl: string): Promise<string> {
  const fetched = () => fetch(`${apiUrl}/v1/audit-logs/log/checkpoint`);
  return (await eventually(fetched, ({ ok }) => ok, LOGGED_SECONDS)).text();
}

/**
 * Waits until the log has the newest entry of the account, and verifies an export of all its entries offline, against a
 * checkpoint of before the faults. Returns what is wrong.
 */
export async function logDeviations(account: ChangingAccount, pinned: string): Promise<string[]> {
  const integrity = () => account.integrity();
  const isLogged = (now: Awaited<ReturnType<typeof integrity>>) =>
    now.state === 'verified' && now.logged_entries === now.entries;
  try {
    const { entries } = await eventually(integrity, isLogged, LOGGED_SECONDS);
    const { size } = unverifiedCheckpoint(pinned);
    const lines = (await account.exportAudit(size)).trimEnd().split('\n');
    const report = await verifyExport(Readable.from(lines), { pinned });
    return [
      ...(report.entries === entries ? [] : [`an export has ${report.entries} of ${entries} entries`]),
      ...(report.log.comparison === 'undecided' ? ['the log does not show that it continues its past'] : []),
    ];
  } catch (error) {
    if (error instanceof ExportProblem) return [`an export is not intact: ${error.message}`];
    return [`the log of an account is not verified: ${String(error)}`];
  }
}
