import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { TxtLookup } from './txt-lookup.js';
import { TxtRecords, type TxtRecord } from './txt-records.js';

/** Verifies that an account controls a domain: DNS has its record (DOM-09). */
@Injectable()
export class ControlCheck {
  constructor(
    private readonly records: TxtRecords,
    private readonly lookup: TxtLookup,
  ) {}

  /**
   * Returns the record once DNS has it.
   * @throws VALIDATION_ERROR that names the missing record, also when the name does not resolve; KmsUnavailable
   */
  async assertControl(accountId: string, domain: string, withinMs: number): Promise<TxtRecord> {
    const record = await this.records.of(accountId, domain);
    const { values, found } = await this.lookup.find(record.txt_name, withinMs);
    if (values.includes(record.txt_value)) return record;
    throw new AppError('VALIDATION_ERROR', {
      fields: [{ field: 'domain', message: 'the TXT record that proves control was not found' }],
      looked_up: `TXT ${record.txt_name}`,
      expected: record.txt_value,
      found,
    });
  }
}
