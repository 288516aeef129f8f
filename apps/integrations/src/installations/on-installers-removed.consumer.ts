import { randomUUID } from 'node:crypto';
import { Controller, Logger } from '@nestjs/common';
import { serviceContext, type Actor, type Delivery } from '@vaultsvc/contracts';
import {
  apiKeyRevoked,
  describeOwner,
  userRemoved,
  type ApiKeyChanged,
  type UserInvited,
} from '@vaultsvc/contracts/auth';
import { appUpdated } from '@vaultsvc/contracts/integrations';
import type { Transaction } from '@vaultsvc/database';
import { Bus, Consumes, Outbox } from '@vaultsvc/messaging';
import { InstallerRepository, type Leaver } from './installer.repository.js';

/** Why installations change hands: the request that removed their installer. */
interface Removal {
  readonly actorId: string;
  /** The exact actor, where it is not the one whom `actorId` names. */
  readonly actor?: Actor | undefined;
  readonly requestId: string | null;
}

/**
 * Hands the installations of removed users and revoked API keys to an owner of the account, because integrations act for their
 * installer (APP-25). Without an owner they are suspended. Redelivery is idempotent: nothing is left of the leaver.
 */
@Controller()
export class OnInstallersRemoved {
  readonly #logger = new Logger('installations');

  constructor(
    private readonly installers: InstallerRepository,
    private readonly bus: Bus,
    private readonly outbox: Outbox,
  ) {}

  @Consumes(userRemoved)
  async applyUsers(deliveries: readonly Delivery<UserInvited>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { account_id: accountId, user_id: userId, actor_id: actorId, actor } = payload;
      await this.#leave(tx, { accountId, userId }, { actorId, actor, requestId });
    }
  }

  @Consumes(apiKeyRevoked)
  async applyKeys(deliveries: readonly Delivery<ApiKeyChanged>[], tx: Transaction): Promise<void> {
    for (const { payload, requestId } of deliveries) {
      const { account_id: accountId, api_key_id: apiKeyId, actor_id: actorId, actor } = payload;
      await this.#leave(tx, { accountId, apiKeyId }, { actorId, actor, requestId });
    }
  }

  async #leave(tx: Transaction, leaver: Leaver, { actorId, actor, requestId }: Removal): Promise<void> {
    const left = await this.installers.lockOf(tx, leaver);
    if (left.length === 0) return;
    const { accountId } = leaver;
    const owner = await this.#ownerOf(accountId, requestId ?? randomUUID());
    for (const { appId, isActive } of left) {
      await this.installers.handOver(tx, accountId, appId, owner);
      if (!isActive) continue;
      this.#logger.warn({ msg: 'the installer of an integration has left', accountId, appId, owner });
      const payload = { account_id: accountId, app_id: appId, actor_id: actorId, ...(actor && { actor }) };
      await this.outbox.publish(tx, appUpdated, payload, { requestId, accountId });
    }
  }

  async #ownerOf(account_id: string, requestId: string): Promise<string | null> {
    const owner = await this.bus.call(describeOwner, { body: { account_id } }, serviceContext({ requestId }));
    return owner.user_id ?? null;
  }
}
