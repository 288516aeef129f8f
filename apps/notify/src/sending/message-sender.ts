import { Injectable } from '@nestjs/common';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import { NotificationSender } from '../deliveries/notification-sender.js';
import { DomainWarningSender } from '../domain/domain-warning-sender.js';
import { InvitationSender } from '../invitation/invitation-sender.js';
import { LinkMessageSender } from '../link/link-message-sender.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import type { DeliveryResult } from '../outbound/delivery-result.js';
import { OwnerMailSender } from '../owners/owner-mail-sender.js';
import { ChannelRegistry } from './channel-registry.js';

/** Sends a message by its kind: each kind has a sender, which composes it when it is due. */
@Injectable()
export class MessageSender {
  constructor(
    private readonly invitations: InvitationSender,
    private readonly warnings: DomainWarningSender,
    private readonly owners: OwnerMailSender,
    private readonly links: LinkMessageSender,
    private readonly notifications: NotificationSender,
    private readonly registry: ChannelRegistry,
  ) {}

  /** @throws DeliveryFailure when the provider did not accept it */
  deliver(message: ClaimedMessage): Promise<DeliveryResult> {
    const { id, kind, channel } = message;
    if (kind === 'invitation') return this.invitations.deliver(message);
    if (kind === 'domain_warning') return this.warnings.deliver(message);
    if (kind === 'owner_change') return this.owners.deliver(message);
    if (kind !== 'notification') return this.links.deliver(message);
    return this.notifications.deliver(id, this.registry.providerOf(channel as NotifyChannel));
  }
}
