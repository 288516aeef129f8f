import type { AccountContext, VisitContext } from '@vaultsvc/contracts';
import { createSpark, openLink, shareSpark } from '@vaultsvc/contracts/sparks';
import type { Race } from './race.js';
import { newSpark, runContest, type Contest } from './spark-races.js';

/** Twenty visitors open the link of each Spark at once (LNK-14). */
export const openers: Contest = {
  rivals: 20,
  lanes: 12,
  tooLate: 'LINK_CONSUMED',
  make: async (bus, payload, owner) => {
    const { spark_id } = await bus.call(createSpark, { body: { payload, ...newSpark } }, owner);
    const body = { visibility: 'public' as const, invites: [] };
    return (await bus.call(shareSpark, { params: { spark_id }, body }, owner)).link_code;
  },
  take: async (bus, link_code, owner) => {
    const body = { describe: false, confirmed: true };
    return (await bus.call(openLink, { params: { link_code }, body }, visitorBeside(owner))).payload;
  },
};

/** Somebody without an account, whose call has as long as the owner's. */
function visitorBeside({ requestId, deadlineMs }: AccountContext): VisitContext {
  const visit = { domain: 'link', userAgent: 'Races/1.0' } as const;
  return { requestId, deadlineMs, credential: { kind: 'none' }, clientIp: '198.51.100.7', visit };
}

/** For `npm run races -- links`: once in peace, where each is revealed exactly once, and once disturbed. */
export const linkRace: Race = {
  countDefault: 1_000,
  async run(count, reportProgress) {
    const calm = await runContest({ contest: openers, count, isUndisturbed: true }, reportProgress);
    const disturbed = await runContest({ contest: openers, count }, reportProgress);
    return {
      summary: `${calm.summary}; disturbed: ${disturbed.summary}`,
      clean: calm.clean && disturbed.clean,
    };
  },
};
