import type { AccountContext, VisitContext } from '@vaultsvc/contracts';
import { createSpark, openLink, shareSpark } from '@vaultsvc/contracts/sparks';
import type { Race } from './race.js';
import type { SingleUseResource } from './single-use-race.js';
import { sparkOptions, runAndSummarize } from './spark-races.js';

/** Twenty visitors open the link of each Spark concurrently (LNK-14). */
export const linkOpenings: SingleUseResource = {
  callersEach: 20,
  workers: 12,
  lostReason: 'LINK_CONSUMED',
  create: async (bus, payload, owner) => {
    const { spark_id } = await bus.call(createSpark, { body: { payload, ...sparkOptions } }, owner);
    const body = { visibility: 'public' as const, invites: [] };
    return (await bus.call(shareSpark, { params: { spark_id }, body }, owner)).link_code;
  },
  consume: async (bus, link_code, owner) => {
    const body = { describe: false, confirmed: true };
    return (await bus.call(openLink, { params: { link_code }, body }, visitorContext(owner))).payload;
  },
};

/** The context of a visitor without an account, with the deadline of the owner's call. */
function visitorContext({ requestId, deadlineMs }: AccountContext): VisitContext {
  const visit = { domain: 'link', userAgent: 'Races/1.0' } as const;
  return { requestId, deadlineMs, credential: { kind: 'none' }, clientIp: '198.51.100.7', visit };
}

/** `npm run races -- links`: once without faults, where each link is revealed exactly once, and once with faults. */
export const linkRace: Race = {
  countDefault: 1_000,
  async run(count, reportProgress) {
    const undisturbed = await runAndSummarize(
      { resource: linkOpenings, count, isUndisturbed: true },
      reportProgress,
    );
    const withFaults = await runAndSummarize({ resource: linkOpenings, count }, reportProgress);
    return {
      summary: `${undisturbed.summary}; with faults: ${withFaults.summary}`,
      clean: undisturbed.clean && withFaults.clean,
    };
  },
};
