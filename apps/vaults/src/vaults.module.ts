import { Module } from '@nestjs/common';
import { scheduled } from '@vaultsvc/service';
import { kmsProvider } from '@vaultsvc/service/keys';
import { ReadVaultAnalytics } from './analytics/read-vault-analytics.handler.js';
import { VaultStatisticsRepository } from './analytics/vault-statistics.repository.js';
import { VaultsConfig } from './config.js';
import { DownloadIngot } from './download/download-ingot.handler.js';
import { DownloadPreparation } from './download/download-preparation.js';
import { IngotDownloads } from './download/ingot-downloads.js';
import { CreateDvak } from './dvak/create-dvak.handler.js';
import { DvakRevoker } from './dvak/dvak-revoker.js';
import { DvakRepository } from './dvak/dvak.repository.js';
import { KeyHolders } from './dvak/key-holders.js';
import { ListDvaks } from './dvak/list-dvaks.handler.js';
import { OnUsersRemoved } from './dvak/on-users-removed.consumer.js';
import { RevocationRepository } from './dvak/revocation.repository.js';
import { RevokeDvak } from './dvak/revoke-dvak.handler.js';
import { ShareKeyRepository } from './dvak/share-key.repository.js';
import { VaultOpener } from './dvak/vault-opener.js';
import { CreateFolder } from './folder/create-folder.handler.js';
import { DeleteFolder } from './folder/delete-folder.handler.js';
import { FolderFilesReader } from './folder/folder-files.handler.js';
import { FolderTree } from './folder/folder-tree.js';
import { FolderRepository } from './folder/folder.repository.js';
import { ListFolders } from './folder/list-folders.handler.js';
import { OpenFolder } from './folder/open-folder.handler.js';
import { OpenRecordFolder } from './folder/open-record-folder.handler.js';
import { ReadFolder } from './folder/read-folder.handler.js';
import { RecordFolderTree } from './folder/record-folder-tree.js';
import { UpdateFolder } from './folder/update-folder.handler.js';
import { IdentifyIngot } from './ingot/identify-ingot.handler.js';
import { IngotFinder } from './ingot/ingot-finder.js';
import { IngotRepository } from './ingot/ingot.repository.js';
import { IngotSearchRepository } from './ingot/ingot-search.repository.js';
import { ListIngots } from './ingot/list-ingots.handler.js';
import { ReadIngot } from './ingot/read-ingot.handler.js';
import { SearchIngots } from './ingot/search-ingots.handler.js';
import { UpdateIngot } from './ingot/update-ingot.handler.js';
import { UploadThroughSource } from './ingot/upload-through-source.handler.js';
import { CreateGrantLink } from './link/create-grant-link.handler.js';
import { CreateIngotLink } from './link/create-ingot-link.handler.js';
import { DeleteExpiredLinkKeys } from './link/delete-expired-link-keys.job.js';
import { DeliverIngotLink } from './link/deliver-ingot-link.handler.js';
import { DescribeVersion } from './link/describe-version.handler.js';
import { EndLink } from './link/end-link.handler.js';
import { LinkKeyCreator } from './link/link-key-creator.js';
import { LinkKeyRepository } from './link/link-key.repository.js';
import { LinkReconciler } from './link/link-reconciler.js';
import { LinkedContentRepository } from './link/linked-content.repository.js';
import { OnLinks } from './link/on-links.consumer.js';
import { OneTimeLinkCreator } from './link/one-time-link-creator.js';
import { OpenSharedFile } from './link/open-shared-file.handler.js';
import { OwnerPoolChecker } from './link/owner-pool-checker.js';
import { DeleteRecordFile } from './record/delete-record-file.handler.js';
import { DownloadRecordFile } from './record/download-record-file.handler.js';
import { LocateRecordFile } from './record/locate-record-file.handler.js';
import { DeleteIngot } from './removal/delete-ingot.handler.js';
import { DeleteVault } from './removal/delete-vault.handler.js';
import { IngotDeletion } from './removal/ingot-deletion.js';
import { IngotRemover } from './removal/ingot-remover.js';
import { RemovalRepository } from './removal/removal.repository.js';
import { RemoveVaults } from './removal/remove-vaults.job.js';
import { ForgetTokens } from './session/forget-tokens.job.js';
import { OpenVaultSession } from './session/open-session.handler.js';
import { SealVault } from './session/seal-vault.handler.js';
import { SessionRepository } from './session/session.repository.js';
import { UnsealVault } from './session/unseal-vault.handler.js';
import { VaultAuthorizer } from './session/vault-authorizer.js';
import { EndUnlinkedShares } from './sharing/end-unlinked-shares.job.js';
import { InviteAccess } from './sharing/invite-access.js';
import { InviteToIngot } from './sharing/invite-to-ingot.handler.js';
import { LinkRevoker } from './sharing/link-revoker.js';
import { ReadSharing } from './sharing/read-sharing.handler.js';
import { ResendInvite } from './sharing/resend-invite.handler.js';
import { RevokeInvite } from './sharing/revoke-invite.handler.js';
import { ShareCreator, ShareKeyIssuer } from './sharing/share-creator.js';
import { ShareKeyCache, ShareKeyWrapper } from './sharing/share-keys.js';
import { ShareLifecycle } from './sharing/share-lifecycle.js';
import { ShareLinkClient } from './sharing/share-link-client.js';
import { ShareRepository } from './sharing/share.repository.js';
import { SharingReader } from './sharing/sharing-reader.js';
import { UpdateSharing } from './sharing/update-sharing.handler.js';
import { CreateStructured } from './structured/create-structured.handler.js';
import { DeleteStructured } from './structured/delete-structured.handler.js';
import { ListStructured } from './structured/list-structured.handler.js';
import { AbandonExpiredClaims } from './structured/retrieval/abandon-expired-claims.job.js';
import { ReadStructured } from './structured/retrieval/read-structured.handler.js';
import { SparkClaimRepository } from './structured/retrieval/spark-claim.repository.js';
import { SparkMinter } from './structured/retrieval/spark-minter.js';
import { ValueReleaser } from './structured/retrieval/value-releaser.js';
import { ValueRetriever } from './structured/retrieval/value-retriever.js';
import { StructuredDescriber } from './structured/structured-describer.js';
import { StructuredFinder } from './structured/structured-finder.js';
import { StructuredTransactions } from './structured/structured-transactions.js';
import { StructuredValueRepository } from './structured/structured-value.repository.js';
import { StructuredWriter } from './structured/structured-writer.js';
import { StructuredRepository } from './structured/structured.repository.js';
import { UpdateStructured } from './structured/update-structured.handler.js';
import { ForgeRevocationClient } from './transfer/forge-revocation-client.js';
import { TransferIssuer } from './transfer/transfer-issuer.js';
import { CreateVault } from './vault/create-vault.handler.js';
import { ListVaults } from './vault/list-vaults.handler.js';
import { ReadVault } from './vault/read-vault.handler.js';
import { UpdateVault } from './vault/update-vault.handler.js';
import { VaultCounters } from './vault/vault-counters.repository.js';
import { VaultTransactionQueue } from './vault/vault-transaction-queue.js';
import { VaultRepository } from './vault/vault.repository.js';
import { ActivateVersion } from './version/activate-version.handler.js';
import { CreateIngot } from './version/create-ingot.handler.js';
import { IngotUpsert } from './version/ingot-upsert.js';
import { OnTransfers } from './version/on-transfers.consumer.js';
import { ReplaceIngot } from './version/replace-ingot.handler.js';
import { StorageReservations, UploadPreparation } from './version/upload-preparation.js';
import { VersionLifecycle } from './version/version-lifecycle.js';
import { VersionRepository } from './version/version.repository.js';

@Module({
  controllers: [
    CreateVault,
    ListVaults,
    ReadVault,
    ReadVaultAnalytics,
    UpdateVault,
    DeleteVault,
    UnsealVault,
    SealVault,
    OpenVaultSession,
    CreateDvak,
    ListDvaks,
    RevokeDvak,
    OnUsersRemoved,
    CreateIngot,
    ReplaceIngot,
    ActivateVersion,
    OnTransfers,
    DownloadIngot,
    CreateFolder,
    OpenFolder,
    OpenRecordFolder,
    FolderFilesReader,
    LocateRecordFile,
    DownloadRecordFile,
    DeleteRecordFile,
    ListFolders,
    ReadFolder,
    UpdateFolder,
    DeleteFolder,
    ListIngots,
    IdentifyIngot,
    SearchIngots,
    ReadIngot,
    UpdateIngot,
    DeleteIngot,
    UploadThroughSource,
    CreateIngotLink,
    CreateGrantLink,
    DescribeVersion,
    DeliverIngotLink,
    EndLink,
    OnLinks,
    OpenSharedFile,
    InviteToIngot,
    ReadSharing,
    ResendInvite,
    RevokeInvite,
    UpdateSharing,
    CreateStructured,
    ListStructured,
    ReadStructured,
    UpdateStructured,
    DeleteStructured,
  ],
  providers: [
    VaultRepository,
    VaultStatisticsRepository,
    VaultTransactionQueue,
    SessionRepository,
    DvakRepository,
    DvakRevoker,
    RevocationRepository,
    KeyHolders,
    RemovalRepository,
    VaultOpener,
    VaultAuthorizer,
    ...scheduled(ForgetTokens, RemoveVaults, DeleteExpiredLinkKeys, EndUnlinkedShares, AbandonExpiredClaims),
    TransferIssuer,
    ForgeRevocationClient,
    VersionRepository,
    VaultCounters,
    VersionLifecycle,
    StorageReservations,
    UploadPreparation,
    IngotUpsert,
    DownloadPreparation,
    IngotDownloads,
    FolderRepository,
    FolderTree,
    RecordFolderTree,
    IngotFinder,
    IngotRepository,
    IngotSearchRepository,
    IngotDeletion,
    IngotRemover,
    kmsProvider('vaults', VaultsConfig),
    ShareKeyCache,
    ShareKeyRepository,
    ShareKeyIssuer,
    ShareRepository,
    ShareKeyWrapper,
    LinkReconciler,
    LinkKeyRepository,
    LinkKeyCreator,
    OneTimeLinkCreator,
    LinkRevoker,
    OwnerPoolChecker,
    LinkedContentRepository,
    InviteAccess,
    ShareCreator,
    ShareLinkClient,
    ShareLifecycle,
    SharingReader,
    StructuredFinder,
    StructuredRepository,
    StructuredValueRepository,
    StructuredTransactions,
    StructuredDescriber,
    StructuredWriter,
    ValueRetriever,
    ValueReleaser,
    SparkMinter,
    SparkClaimRepository,
  ],
})
export class VaultsModule {}
