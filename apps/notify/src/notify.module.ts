import { Module } from '@nestjs/common';
import { DataKeys, SealedTexts } from '@vaultsvc/crypto/data-keys';
import { scheduled } from '@vaultsvc/service';
import { dataKeysProviders } from '@vaultsvc/service/keys';
import { NotifyConfig } from './config.js';
import { AddressBook } from './deliveries/address-book.js';
import { AddressSender } from './deliveries/address-sender.js';
import { NotificationSender } from './deliveries/notification-sender.js';
import { NotificationRepository } from './deliveries/notification.repository.js';
import { TargetBreakers } from './deliveries/target-breakers.js';
import { DomainWarningSender } from './domain/domain-warning-sender.js';
import { OnDomainsUnproven } from './domain/on-domains-unproven.consumer.js';
import { SmtpEmail } from './email/smtp-email.js';
import { FeedRepository } from './feed/feed.repository.js';
import { ReadFeed } from './feed/read-feed.handler.js';
import { Interact } from './interactions/interact.handler.js';
import { InteractionRepository } from './interactions/interaction.repository.js';
import { ListConversations } from './interactions/list-conversations.handler.js';
import { ReadConversation } from './interactions/read-conversation.handler.js';
import { ReceiptPresenter } from './interactions/receipt-presenter.js';
import { ListReceipts } from './interactions/list-receipts.handler.js';
import { ReceiptSigner } from './interactions/receipt-signer.js';
import { ReplySealer } from './interactions/reply-sealer.js';
import { InvitationSender } from './invitation/invitation-sender.js';
import { OnUsersInvited } from './invitation/on-users-invited.consumer.js';
import { LinkMessageSender } from './link/link-message-sender.js';
import { OnMessagesOwed } from './link/on-messages-owed.consumer.js';
import { DeleteClosedMessages } from './messages/delete-closed-messages.job.js';
import { DueMessageRepository } from './messages/due-message.repository.js';
import { MessageWaker } from './messages/message-waker.js';
import { MessageRepository } from './messages/message.repository.js';
import { ReadChannel } from './messages/read-channel.handler.js';
import { OnOwnersChanged } from './owners/on-owners-changed.consumer.js';
import { OwnerMailSender } from './owners/owner-mail-sender.js';
import { DeletePushToken } from './push/delete-push-token.handler.js';
import { ListPushTokens } from './push/list-push-tokens.handler.js';
import { PushTokenRepository } from './push/push-token.repository.js';
import { RegisterPushToken } from './push/register-push-token.handler.js';
import { RehashSubscriptions } from './push/rehash-subscriptions.job.js';
import { PreferenceRepository } from './recipients/preference.repository.js';
import { PutPreferences } from './recipients/put-preferences.handler.js';
import { ReadPreferences } from './recipients/read-preferences.handler.js';
import { MailSubscriptionRepository } from './recipients/unsubscribe/mail-subscription.repository.js';
import { MailSubscriptions } from './recipients/unsubscribe/mail-subscriptions.js';
import { UnsubscribeLinks } from './recipients/unsubscribe/unsubscribe-links.js';
import { Unsubscribe } from './recipients/unsubscribe/unsubscribe.handler.js';
import { channelProviders } from './sending/channel.providers.js';
import { MessageSender } from './sending/message-sender.js';
import { SendMessages } from './sending/send-messages.job.js';
import { AbandonExpiredSends } from './sends/abandon-expired-sends.job.js';
import { GrantMinter } from './sends/grant-minter.js';
import { OnGrantsRevealed } from './sends/on-grants-revealed.consumer.js';
import { PlaintextRepository } from './sends/plaintext.repository.js';
import { PurgeSends } from './sends/purge-sends.job.js';
import { ListSends } from './sends/report/list-sends.handler.js';
import { ReadSend } from './sends/report/read-send.handler.js';
import { ReplayDelivery } from './sends/report/replay-delivery.handler.js';
import { SendReportRepository } from './sends/report/send-report.repository.js';
import { SendNotification } from './sends/send-notification.handler.js';
import { SendPlaintext } from './sends/send-plaintext.handler.js';
import { SendRepository } from './sends/send.repository.js';
import { ConfigPresenter } from './settings/config-presenter.js';
import { FormerSecretRepository } from './settings/former-secret.repository.js';
import { PutConfig } from './settings/put-config.handler.js';
import { ReadConfig } from './settings/read-config.handler.js';
import { SettingsRepository } from './settings/settings.repository.js';
import { TargetChanges } from './settings/target-changes.js';
import { TargetRepository } from './settings/target.repository.js';
import { TwilioSms } from './sms/twilio-sms.js';
import { DeleteSuppression } from './suppressions/delete-suppression.handler.js';
import { ListSuppressions } from './suppressions/list-suppressions.handler.js';
import { SuppressionRepository } from './suppressions/suppression.repository.js';

@Module({
  controllers: [
    ReadChannel,
    OnUsersInvited,
    OnDomainsUnproven,
    OnOwnersChanged,
    OnMessagesOwed,
    SendNotification,
    SendPlaintext,
    ListSends,
    ReadSend,
    ReplayDelivery,
    OnGrantsRevealed,
    Interact,
    ListReceipts,
    ListConversations,
    ReadConversation,
    ReadConfig,
    PutConfig,
    RegisterPushToken,
    ListPushTokens,
    DeletePushToken,
    ReadPreferences,
    PutPreferences,
    ListSuppressions,
    DeleteSuppression,
    Unsubscribe,
    ReadFeed,
  ],
  providers: [
    ...dataKeysProviders('notify', NotifyConfig),
    MessageRepository,
    DueMessageRepository,
    TargetBreakers,
    AddressSender,
    SmtpEmail,
    TwilioSms,
    MessageWaker,
    InvitationSender,
    DomainWarningSender,
    OwnerMailSender,
    LinkMessageSender,
    MessageSender,
    SendMessages,
    SendRepository,
    SendReportRepository,
    GrantMinter,
    PlaintextRepository,
    NotificationRepository,
    NotificationSender,
    AddressBook,
    ...channelProviders,
    FeedRepository,
    InteractionRepository,
    ReceiptSigner,
    ReceiptPresenter,
    ReplySealer,
    {
      provide: SealedTexts,
      useFactory: (keys: DataKeys) => new SealedTexts(keys, 'channels'),
      inject: [DataKeys],
    },
    SettingsRepository,
    TargetRepository,
    TargetChanges,
    FormerSecretRepository,
    ConfigPresenter,
    PushTokenRepository,
    PreferenceRepository,
    UnsubscribeLinks,
    MailSubscriptionRepository,
    MailSubscriptions,
    SuppressionRepository,
    ...scheduled(DeleteClosedMessages, AbandonExpiredSends, PurgeSends, RehashSubscriptions),
  ],
})
export class NotifyModule {}
