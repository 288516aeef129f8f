import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError, Busy, Flag, operation, serviceContext, type ErrorReason } from '@vaultsvc/contracts';
import { GuardedHandler } from './guarded-handler.js';
import { ProviderGuard, type AdmittedRequest, type Answered } from './provider-guard.js';

class Received {
  @Flag() received: boolean;
}
const receive = operation({
  name: 'desk.receive',
  summary: 'Receives an event.',
  http: { method: 'POST', path: '/v1/desk', status: 200 },
  access: { provider: 'stripe' },
  reply: Received,
});

let settled: string[];
beforeEach(() => {
  settled = [];
});

class DeskGuard extends ProviderGuard {
  override readonly providers = ['stripe'] as const;

  constructor(private readonly admission: AdmittedRequest | Answered) {
    super();
  }

  override async admit(): Promise<AdmittedRequest | Answered> {
    return this.admission;
  }
}

/** Runs a handler behind a guard that has claimed the delivery. */
function run(
  handle: () => Promise<object>,
  { late = false, admission }: { late?: boolean; admission?: Answered } = {},
) {
  const context = serviceContext({ requestId: 'req_1', deadlineMs: Date.now() + (late ? -1 : 60_000) });
  const delivery = {
    finish: async () => void settled.push('finished'),
    release: async () => void settled.push('released'),
  };
  const guard = new DeskGuard(admission ?? { context, delivery });
  const signedRequest = { target: '/v1/desk', headers: {} };
  const request = {
    op: receive,
    params: undefined,
    raw: Buffer.from('{}'),
    context: { ...context, signedRequest },
  };
  return new GuardedHandler(guard, handle as never).run(request);
}
const reasonOf = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? error.reason : error),
  );
const failing = (error: unknown) => async () => {
  throw error;
};

describe('OPEN-38: a request of a provider that is accepted once', () => {
  it('is finished when it is handled', async () => {
    expect(await run(async () => ({ received: true }))).toEqual({ received: true });
    expect(settled).toEqual(['finished']);
  });

  it('is accepted again when it failed on our side, when we were busy, and when its answer came too late', async () => {
    const failure = new Error('the database is gone');
    expect(await reasonOf(run(failing(failure)))).toBe(failure);
    expect(await reasonOf(run(failing(new Busy(1))))).toBe('BUSY');
    await run(async () => ({ received: true }), { late: true });
    expect(settled).toEqual(['released', 'released', 'released']);
  });

  it('OPEN-10: is finished when it is refused, which does not count on the address of the provider', async () => {
    const shown: [ErrorReason, ErrorReason][] = [
      ['VALIDATION_ERROR', 'VALIDATION_ERROR'],
      ['AUTHENTICATION_ERROR', 'VERIFIED_REQUEST_REFUSED'],
    ];
    for (const [thrown, reason] of shown)
      expect(await reasonOf(run(failing(new AppError(thrown))))).toBe(reason);
    expect(settled).toEqual(['finished', 'finished']);
  });

  it('is not handled when its guard answers', async () => {
    const answer = { received: true };
    expect(await run(failing(new Error('handled')), { admission: { answer } })).toBe(answer);
    expect(settled).toEqual([]);
  });
});
