import { Controller } from '@nestjs/common';
import type { CrmContext, Input } from '@vaultsvc/contracts';
import { resolveCrmaRecord, resolveCrmbRecord, type ResolvedRecord } from '@vaultsvc/contracts/integrations';
import { Handles } from '@vaultsvc/messaging';
import { Panels } from './panels.js';

/** Finds or makes the folder of a record, and a panel of it for the person (CRA-04, OPEN-66). */
@Controller()
export class ResolveRecord {
  constructor(private readonly panels: Panels) {}

  @Handles(resolveCrmaRecord, resolveCrmbRecord)
  handle({ body }: Input<typeof resolveCrmaRecord>, caller: CrmContext): Promise<ResolvedRecord> {
    return this.panels.resolve(caller, body);
  }
}
