import { Module } from '@nestjs/common';
import { DataKeys, SealedTexts } from '@vaultsvc/crypto/data-keys';
import { RedisModule } from '@vaultsvc/limits';
import { scheduled } from '@vaultsvc/service';
import { dataKeysProviders } from '@vaultsvc/service/keys';
import { BackgroundWork } from './background-work.js';
import { AppCatalog } from './catalog/app-catalog.js';
import { ChatClients } from './chat/chat-clients.js';
import { ChatSecretRepository } from './chat/chat-secret.repository.js';
import { ChatUsageRepository } from './chat/chat-usage.repository.js';
import { ConversationCheck } from './chat/conversation-check.js';
import { PostSecrets } from './chat/post-secrets.job.js';
import { ReadChatAnalytics } from './chat/read-chat-analytics.handler.js';
import { ReceiveChatCommand } from './chat/receive-chat-command.handler.js';
import { ReceiveChatEvent } from './chat/receive-chat-event.handler.js';
import { ReceiveChatInteraction } from './chat/receive-chat-interaction.handler.js';
import { SecretSender } from './chat/secret-sender.js';
import { SecretViewer } from './chat/secret-viewer.js';
import { IntegrationsConfig } from './config.js';
import { CrmbSessionSecrets } from './crm/crmb-session-secrets.js';
import { DeleteRecordFile } from './crm/delete-record-file.handler.js';
import { DownloadRecordFile } from './crm/download-record-file.handler.js';
import { ListRecordFiles } from './crm/list-record-files.handler.js';
import { OpenPanel } from './crm/panel/open-panel.handler.js';
import { PanelRepository } from './crm/panel/panel.repository.js';
import { Panels } from './crm/panel/panels.js';
import { ResolveRecord } from './crm/panel/resolve-record.handler.js';
import { ShareInPanel } from './crm/panel/share-in-panel.handler.js';
import { UploadInPanel } from './crm/panel/upload-in-panel.handler.js';
import { PrepareUpload } from './crm/prepare-upload.handler.js';
import { ReceiveCrmEvents } from './crm/receive-crm-events.handler.js';
import { RecordFileClient } from './crm/record-file-client.js';
import { RecordFolders } from './crm/record-folders.js';
import { RecordPermissions } from './crm/record-permissions.js';
import { UnsealRecord } from './crm/unseal-record.handler.js';
import { AccountCalls } from './guards/account-calls.js';
import { ChatGuard } from './guards/chat-guard.js';
import { CrmaEvents } from './guards/crma-events.js';
import { CrmaGuard } from './guards/crma-guard.js';
import { CrmbGuard } from './guards/crmb-guard.js';
import { CrmbSessions } from './guards/crmb-sessions.js';
import { DeliveryRepository } from './guards/delivery.repository.js';
import { PanelGuard } from './guards/panel-guard.js';
import { AppPresenter } from './installations/app-presenter.js';
import { InstallationRepository } from './installations/installation.repository.js';
import { InstallerRepository } from './installations/installer.repository.js';
import { ListApps } from './installations/list-apps.handler.js';
import { OnInstallersRemoved } from './installations/on-installers-removed.consumer.js';
import { ReadApp } from './installations/read-app.handler.js';
import { DeleteApp } from './lifecycle/delete-app.handler.js';
import { InstallApp } from './lifecycle/install-app.handler.js';
import { InstallationChanges } from './lifecycle/installation-changes.js';
import { TokenRefreshes } from './lifecycle/token-refreshes.js';
import { UninstallHints } from './lifecycle/uninstall-hints.js';
import { UpdateApp } from './lifecycle/update-app.handler.js';
import { ConnectChatapp } from './oauth/connect-chatapp.handler.js';
import { ConnectCrm } from './oauth/connect-crm.handler.js';
import { ConnectionRepository } from './oauth/connection.repository.js';
import { Connector } from './oauth/connector.js';
import { CreateCrmbSessionSecret } from './oauth/create-crmb-session-secret.handler.js';
import { Disconnect } from './oauth/disconnect.handler.js';
import { OAuthStateRepository } from './oauth/oauth-state.repository.js';
import { StartOAuth } from './oauth/start-oauth.handler.js';
import { ChatOAuth } from './providers/chat-oauth.js';
import { CrmaOAuth } from './providers/crma-oauth.js';
import { CrmbOAuth } from './providers/crmb-oauth.js';
import { OAuthProviders } from './providers/oauth-providers.js';
import { RefreshRepository } from './tokens/refresh.repository.js';
import { TokenRevocations } from './tokens/token-revocations.js';
import { TokenSealer } from './tokens/token-sealer.js';

@Module({
  imports: [RedisModule.forRoot(IntegrationsConfig)],
  controllers: [
    ListApps,
    ReadApp,
    InstallApp,
    UpdateApp,
    DeleteApp,
    ConnectChatapp,
    StartOAuth,
    CreateCrmbSessionSecret,
    ConnectCrm,
    Disconnect,
    ReceiveChatCommand,
    ReceiveChatInteraction,
    ReceiveChatEvent,
    ReadChatAnalytics,
    ResolveRecord,
    ListRecordFiles,
    UnsealRecord,
    DownloadRecordFile,
    DeleteRecordFile,
    PrepareUpload,
    ReceiveCrmEvents,
    OpenPanel,
    UploadInPanel,
    ShareInPanel,
    OnInstallersRemoved,
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
    InstallerRepository,
    UninstallHints,
    ConnectionRepository,
    Connector,
    ChatOAuth,
    CrmaOAuth,
    CrmbOAuth,
    OAuthProviders,
    TokenSealer,
    RefreshRepository,
    BackgroundWork,
    AccountCalls,
    ChatGuard,
    CrmaEvents,
    CrmaGuard,
    CrmbSessionSecrets,
    CrmbSessions,
    CrmbGuard,
    PanelGuard,
    RecordFolders,
    RecordFileClient,
    Panels,
    ChatClients,
    ChatSecretRepository,
    ChatUsageRepository,
    ConversationCheck,
    SecretSender,
    SecretViewer,
    ...scheduled(
      TokenRefreshes,
      OAuthStateRepository,
      TokenRevocations,
      PostSecrets,
      DeliveryRepository,
      RecordPermissions,
      PanelRepository,
    ),
  ],
})
export class IntegrationsModule {}
