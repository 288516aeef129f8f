import type { AccountContext, VisitContext } from '@vaultsvc/contracts';

/**
 * A call of the API as a visit of the page of a durable share: a session identifies its user, an API key nobody. The code is
 * valid on the files domain only, so one-time links are unknown (OPEN-22, OPEN-33).
 */
export function shareVisit(context: AccountContext): VisitContext {
  const { requestId, clientIp, deadlineMs, credential } = context;
  const visitor = credential.kind === 'session' ? credential : ({ kind: 'none' } as const);
  return {
    requestId,
    clientIp,
    deadlineMs,
    credential: visitor,
    visit: { domain: 'files', userAgent: null },
  };
}
