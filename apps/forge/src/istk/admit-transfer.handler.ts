import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { admitTransfer, type TransferAdmitted } from '@vaultsvc/contracts/forge';
import { Handles } from '@vaultsvc/messaging';
import { IstkRepository } from './istk.repository.js';

@Controller()
export class AdmitTransfer {
  constructor(private readonly istks: IstkRepository) {}

  @Handles(admitTransfer)
  async handle({ body }: Input<typeof admitTransfer>, _context: CallContext): Promise<TransferAdmitted> {
    await this.istks.admit(body);
    return {};
  }
}
