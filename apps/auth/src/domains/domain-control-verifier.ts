import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { TxtResolver } from './txt-resolver.js';
import { ChallengeRecords, type TxtRecord } from './challenge-records.js';

/** The result of looking for the record of a claim in DNS. */
export interface DomainControl {
  readonly record: TxtRecord;
  readonly isProven: boolean;
  /** Whether DNS answered: without an answer, the record may exist. */
  readonly isConclusive: boolean;
  /** What was found instead, for the caller. */
  readonly found: string;
}

/** Verifies that an account controls a domain: DNS has its record (DOM-09). */
@Injectable()
export class DomainControlVerifier {
  constructor(
    private readonly records: ChallengeRecords,
    private readonly lookup: TxtResolver,
  ) {}

  /**
   * Returns the record once DNS has it.
   * @throws VALIDATION_ERROR that names the missing record, also when the name does not resolve; KmsUnavailable
   */
  async assertControl(accountId: string, domain: string, withinMs: number): Promise<TxtRecord> {
    const { record, isProven, found } = await this.check(accountId, domain, withinMs);
    if (isProven) return record;
    throw new AppError('VALIDATION_ERROR', {
      fields: [{ field: 'domain', message: 'the TXT record that proves control was not found' }],
      looked_up: `TXT ${record.txt_name}`,
      expected: record.txt_value,
      found,
    });
  }

  /** @throws KmsUnavailable */
  async check(accountId: string, domain: string, withinMs?: number): Promise<DomainControl> {
    const record = await this.records.of(accountId, domain);
    const { values, isConclusive, found } = await this.lookup.find(record.txt_name, withinMs);
    return { record, isProven: values.includes(record.txt_value), isConclusive, found };
  }
}
