import { Controller } from '@nestjs/common';
import { serviceContext, type Input, type VaultContext } from '@vaultsvc/contracts';
import { deliverLink } from '@vaultsvc/contracts/sparks';
import { deliverIngotLink, type DeliveredIngotLink } from '@vaultsvc/contracts/vaults';
import { Bus, Handles } from '@vaultsvc/messaging';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import { VaultTransactionQueue } from '../vault/vault-transaction-queue.js';

@Controller()
export class DeliverIngotLink {
  constructor(
    private readonly transactions: VaultTransactionQueue,
    private readonly access: VaultAuthorizer,
    private readonly ingots: IngotFinder,
    private readonly bus: Bus,
  ) {}

  @Handles(deliverIngotLink)
  async handle(
    { params, body: { identity } }: Input<typeof deliverIngotLink>,
    context: VaultContext,
  ): Promise<DeliveredIngotLink> {
    const { vault_id, code: link_code } = params;
    const { ids, lock } = await this.access.authorize(params, context, 'write');
    const { ingotId: ingot_id } = await this.ingots.find(ids, params.ingot_id);
    await this.transactions.run(ids, context.deadlineMs, lock);
    const delivery = { account_id: ids.accountId, vault_id, ingot_id, link_code, identity };
    const { delivered_at } = await this.bus.call(deliverLink, { body: delivery }, serviceContext(context));
    if (delivered_at === null)
      return { link_code, identity, delivered: false, delivered_at, reason: 'unconfigured' };
    return { link_code, identity, delivered: true, delivered_at };
  }
}
