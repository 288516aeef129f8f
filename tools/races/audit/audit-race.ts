import type { Race } from '../race.js';
import { runAuditRaces } from './audit-races.js';
import { summaryOfAudit } from './audit-report.js';

const KILLS_PER_CHANGE = 1 / 20;
const PROGRESS_EVERY = 100;

/** `npm run races -- audit`. */
export const auditRace: Race = {
  countDefault: 1_000,
  async run(changes, reportProgress, seed) {
    let reported = 0;
    const report = await runAuditRaces({
      changes,
      kills: Math.ceil(changes * KILLS_PER_CHANGE),
      seed,
      onProgress: (now) => {
        const { length } = now.log.acknowledged;
        if (length < reported + PROGRESS_EVERY) return;
        reported = length;
        reportProgress(summaryOfAudit(now));
      },
    });
    return { summary: summaryOfAudit(report), clean: report.deviations.length === 0 };
  },
};
