import { Injectable } from '@nestjs/common';
import { actorOf, type AccountContext } from '@vaultsvc/contracts';
import { entropyGenerated, type Entropy, type EntropyGeneration } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { SparksConfig } from '../config.js';

/** What `EntropySource` combines: key management, and the generator of this machine (ENT-16). */
const SOURCES = ['kms', 'local'];

/** The provenance of a value that its answer does not contain. */
export interface EntropyOrigin {
  readonly requestIds: readonly string[];
  readonly commitment: string | null;
}

/** Records for the audit trail who received random data and its provenance, never the data. */
@Injectable()
export class EntropyRecorder {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly config: SparksConfig,
  ) {}

  /** Publishes the event. When it throws, the answer must not be returned. */
  async record(answer: Entropy, origin: EntropyOrigin, context: AccountContext): Promise<void> {
    await this.outbox.publish(
      this.database,
      entropyGenerated,
      this.#payloadOf(answer, origin, context),
      context,
    );
  }

  #payloadOf(
    answer: Entropy,
    { requestIds, commitment }: EntropyOrigin,
    context: AccountContext,
  ): EntropyGeneration {
    return {
      reference_id: answer.reference_id,
      account_id: context.credential.accountId,
      ...actorOf(context),
      format: answer.format,
      num_bytes: answer.num_bytes,
      bytes: bytesOf(answer, context),
      provenance: {
        kms_key_id: this.config.KMS_KEY_ID,
        kms_request_ids: requestIds,
        sources: SOURCES,
        generated_at: Math.floor(Date.now() / 1_000),
        commitment,
      },
    };
  }
}

/** The bandwidth of the call: the request's body as received and the data of the answer (ENT-20). */
function bytesOf(answer: Entropy, { requestBytes }: AccountContext): number {
  if (requestBytes === undefined) throw new Error('a billable call has no request length');
  return requestBytes + Buffer.byteLength(JSON.stringify(answer));
}
