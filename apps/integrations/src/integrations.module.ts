import { Module } from '@nestjs/common';
import { DataKeys, SealedTexts } from '@vaultsvc/crypto/data-keys';
import { RedisModule } from '@vaultsvc/limits';
import { scheduled } from '@vaultsvc/service';
import { dataKeysProviders } from '@vaultsvc/service/keys';
import { BackgroundWork } from './background-work.js';
import { AppCatalog } from './catalog/app-catalog.js';
import { ChatClients } from './chat/chat-client.js';
import { ChatSecretRepository } from './chat/chat-secret.repository.js';
import { ChatUsageRepository } from './chat/chat-usage.repository.js';
import { ChatWebhook } from './chat/chat-webhook.js';
import { PostSecrets } from './chat/post-secrets.job.js';
import { ReadChatAnalytics } from './chat/read-chat-analytics.handler.js';
import { ReceiveChatCommand } from './chat/receive-chat-command.handler.js';
import { ReceiveChatEvent } from './chat/receive-chat-event.handler.js';
import { ReceiveChatInteraction } from './chat/receive-chat-interaction.handler.js';
import { SecretSender } from './chat/secret-sender.js';
import { SecretViewer } from './chat/secret-viewer.js';
import { IntegrationsConfig } from './config.js';
import { CrmaRequests } from './crm/crma-requests.js';
import { Crma } from './crm/crma.handler.js';
import { CrmbRequests } from './crm/crmb-requests.js';
import { CrmbSessions } from './crm/crmb-sessions.js';
import { Crmb } from './crm/crmb.handler.js';
import { PanelRequests } from './crm/panel.handler.js';
import { PanelRepository } from './crm/panel.repository.js';
import { Panels } from './crm/panels.js';
import { RecordFiles } from './crm/record-files.js';
import { RecordFolders } from './crm/record-folders.js';
import { RecordTokens } from './crm/record-tokens.js';
import { AppPresenter } from './installations/app-presenter.js';
import { DeleteApp } from './installations/delete-app.handler.js';
import { InstallApp } from './installations/install-app.handler.js';
import { InstallationChanges } from './installations/installation-changes.js';
import { InstallationRepository } from './installations/installation.repository.js';
import { ListApps } from './installations/list-apps.handler.js';
import { ReadApp } from './installations/read-app.handler.js';
import { UpdateApp } from './installations/update-app.handler.js';
import { ConnectChatapp } from './oauth/connect-chatapp.handler.js';
import { ConnectCrm } from './oauth/connect-crm.handler.js';
import { Connector } from './oauth/connector.js';
import { Disconnect } from './oauth/disconnect.handler.js';
import { ChatOAuth } from './providers/chat-oauth.js';
import { CrmaOAuth } from './providers/crma-oauth.js';
import { CrmbOAuth } from './providers/crmb-oauth.js';
import { OAuthProviders } from './providers/oauth-providers.js';
import { TokenRefreshes } from './tokens/token-refreshes.js';
import { TokenRevocations } from './tokens/token-revocations.js';
import { TokenSealer } from './tokens/token-sealer.js';
import { AccountCalls } from './webhooks/account-calls.js';
import { DeliveryRepository } from './webhooks/delivery.repository.js';

@Module({
  imports: [RedisModule.forRoot(IntegrationsConfig)],
  controllers: [
    ListApps,
    ReadApp,
    InstallApp,
    UpdateApp,
    DeleteApp,
    ConnectChatapp,
    ConnectCrm,
    Disconnect,
    ReceiveChatCommand,
    ReceiveChatInteraction,
    ReceiveChatEvent,
    ReadChatAnalytics,
    Crma,
    Crmb,
    PanelRequests,
  ],
  providers: [
    ...dataKeysProviders('integrations', IntegrationsConfig),
    {
      provide: SealedTexts,
      useFactory: (keys: DataKeys) => new SealedTexts(keys, 'oauth'),
      inject: [DataKeys],
    },
    { provide: AppCatalog, useFactory: () => new AppCatalog() },
    AppPresenter,
    InstallationRepository,
    InstallationChanges,
    Connector,
    ChatOAuth,
    CrmaOAuth,
    CrmbOAuth,
    OAuthProviders,
    TokenSealer,
    BackgroundWork,
    AccountCalls,
    CrmaRequests,
    CrmbSessions,
    CrmbRequests,
    RecordFolders,
    RecordFiles,
    Panels,
    ChatWebhook,
    ChatClients,
    ChatSecretRepository,
    ChatUsageRepository,
    SecretSender,
    SecretViewer,
    ...scheduled(
      TokenRefreshes,
      TokenRevocations,
      PostSecrets,
      DeliveryRepository,
      RecordTokens,
      PanelRepository,
    ),
  ],
})
export class IntegrationsModule {}
