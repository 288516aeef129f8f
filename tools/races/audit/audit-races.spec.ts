import { describe, expect, it } from '@jest/globals';
import { runAuditRaces } from './audit-races.js';
import { summaryOfAudit } from './audit-report.js';

/** Chooses as its first victims an instance of reporting, NATS, the other instance, and PostgreSQL. */
const SEED = 2_542;
const VICTIMS = ['reporting', 'reporting 2', 'nats', 'postgres'];

describe('AUD-10 AUD-11 AUD-14 ENV-11 MISC-06 MISC-08: audit log, ledger and pools', () => {
  it('show exactly the changes that stand after kills of two instances of reporting, NATS and PostgreSQL', async () => {
    const report = await runAuditRaces({ changes: 150, kills: VICTIMS.length, seed: SEED });
    if (report.deviations.length > 0) throw new Error(summaryOfAudit(report));
    expect(report.entries).toBeGreaterThanOrEqual(150);
    expect(Object.keys(report.kills)).toEqual(expect.arrayContaining(VICTIMS));
  }, 600_000);
});
