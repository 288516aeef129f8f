import {
  AppError,
  type AccountContext,
  type Handler,
  type Input,
  type OperationSpec,
  type PublicOperation,
} from '@vaultsvc/contracts';
import { declaredError } from './declared-error.js';
import type { AdmittedRequest, ProviderGuard, ProviderRequest } from './provider-guard.js';

/**
 * Runs the handler of a provider's operation for requests that its guard admits. A provider that gets 5xx, or no answer before its
 * deadline, may repeat the request.
 */
export class GuardedHandler {
  constructor(
    private readonly guard: ProviderGuard,
    private readonly handle: Handler<OperationSpec>,
  ) {}

  async run(request: ProviderRequest): Promise<unknown> {
    const admission = await this.guard.admit(request);
    if ('answer' in admission) return admission.answer;
    const { delivery } = admission;
    try {
      const reply: unknown = await this.handle(
        inputOf(request, admission),
        admission.context as AccountContext,
      );
      const isLate = Date.now() > request.context.deadlineMs;
      await (isLate ? delivery?.release() : delivery?.finish(reply));
      return reply;
    } catch (error) {
      await (isOurs(request.op, error) ? delivery?.release() : delivery?.finish());
      throw refusal(error);
    }
  }
}

function inputOf({ op, params }: ProviderRequest, { body }: AdmittedRequest): Input {
  if (op.body && !(body instanceof op.body)) throw new Error(`the guard of ${op.name} read no body`);
  return { params, query: undefined, body } as Input;
}

/** The signature was verified, so a refusal does not count on the address (OPEN-10). */
function refusal(error: unknown): unknown {
  const isUnauthorized = error instanceof AppError && error.reason === 'AUTHENTICATION_ERROR';
  return isUnauthorized ? new AppError('VERIFIED_REQUEST_REFUSED', undefined, { cause: error }) : error;
}

/** Whether the provider gets 5xx, or is asked to come again. */
function isOurs(op: PublicOperation, error: unknown): boolean {
  const { status, reason } = declaredError(op, error);
  return status >= 500 || reason === 'BUSY';
}
