import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { entropyGenerated, type Entropy, type EntropyGeneration } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';
import { SparksConfig } from '../config.js';
import { actorOf } from '../call-context.js';

/** What the trail says of a value beside what its answer says. */
export interface Origin {
  readonly requestIds: readonly string[];
  readonly commitment: string | null;
}

/** Tells of random data that was given to a caller: who drew it and where it came from, never the data. */
@Injectable()
export class EntropyRecorder {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly config: SparksConfig,
  ) {}

  /** Has told of it when it resolves. Throws when it could not; then the answer must not leave. */
  async tell(answer: Entropy, origin: Origin, context: AccountContext): Promise<void> {
    await this.outbox.publish(
      this.database,
      entropyGenerated,
      this.#factOf(answer, origin, context),
      context,
    );
    this.outbox.wake();
  }

  #factOf(answer: Entropy, { requestIds, commitment }: Origin, context: AccountContext): EntropyGeneration {
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
        generated_at: Math.floor(Date.now() / 1_000),
        commitment,
      },
    };
  }
}

/** What the call draws from bandwidth: the request's body as it came, and the data of the answer (ENT-20). */
function bytesOf(answer: Entropy, { requestBytes }: AccountContext): number {
  if (requestBytes === undefined) throw new Error('a billable call came without the length of its request');
  return requestBytes + Buffer.byteLength(JSON.stringify(answer));
}
