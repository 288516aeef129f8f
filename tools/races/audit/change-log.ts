import type { Event, PublicOperation } from '@vaultsvc/contracts';
import type { AuditEntry } from '@vaultsvc/contracts/reporting';
import { RuleViolation, type ApiResponse } from '@vaultsvc/testing/http';

/** A change whose success a caller has received: one event of this name stands with its request id. */
export interface AcknowledgedChange {
  readonly event: string;
  readonly requestId: string;
  /** The gateway may have executed the call twice, so that two events stand. */
  readonly isRepeatable: boolean;
}

/** The outcomes of the calls of a race. */
export class ChangeLog {
  readonly acknowledged: AcknowledgedChange[] = [];
  /** Ids of acknowledged entries of integrations, which have no event. */
  readonly acknowledgedEntries: string[] = [];
  /** Calls that were answered with a 4xx, and changed nothing. */
  refused = 0;
  /** Calls that were answered with a 5xx or not at all: the change may stand or not. */
  unknown = 0;

  /**
   * Waits for the answer to a call and records it. Undefined when it was refused, or when its outcome is unknown.
   * @throws RuleViolation when an answer breaks a rule of the API
   */
  async record<T>(
    { name: event }: Event,
    { repeatable: isRepeatable = false }: PublicOperation,
    call: Promise<ApiResponse<T>>,
  ): Promise<ApiResponse<T> | undefined> {
    const answer = await this.#answerTo(call);
    if (answer)
      this.acknowledged.push({ event, requestId: String(answer.headers['x-request-id']), isRepeatable });
    return answer;
  }

  /** The same for a call that adds an entry of an integration to the audit log. */
  async recordEntry(call: Promise<ApiResponse<AuditEntry>>): Promise<void> {
    const answer = await this.#answerTo(call);
    if (answer?.data) this.acknowledgedEntries.push(answer.data.event_id);
  }

  async #answerTo<T>(call: Promise<ApiResponse<T>>): Promise<ApiResponse<T> | undefined> {
    const answer = await call.catch(ignoreBrokenConnection);
    if (!answer || answer.status >= 500) return void (this.unknown += 1);
    if (answer.error) return void (this.refused += 1);
    return answer;
  }
}

/**
 * The gateway is killed as well, also in the middle of answers.
 * @throws any other error
 */
export function ignoreBrokenConnection(error: unknown): undefined {
  const { code, message, cause } = error as NodeJS.ErrnoException;
  const { code: causeCode } = (cause ?? {}) as NodeJS.ErrnoException;
  // supertest replaces ECONNREFUSED by an error without a code, and fetch wraps every error.
  const isBroken = (code ?? causeCode) !== undefined || message.startsWith('ECONNREFUSED');
  if (error instanceof RuleViolation || !isBroken) throw error;
}
