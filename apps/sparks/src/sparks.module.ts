import { Module } from '@nestjs/common';
import { scheduled, servedShardProvider } from '@vaultsvc/service';
import { dataKeysProviders } from '@vaultsvc/service/keys';
import { SparksConfig } from './config.js';
import { CreatorPresenter } from './creators/creator-presenter.js';
import { EntropyRecorder } from './entropy/entropy-recorder.js';
import { entropySourceProvider } from './entropy/entropy-source.js';
import { GenerateEntropy } from './entropy/generate-entropy.handler.js';
import { DestroyEpochKeys } from './epoch-keys/destroy-epoch-keys.job.js';
import { epochKeysProviders } from './epoch-keys/epoch-keys.providers.js';
import { DeleteLink } from './link/delete-link.handler.js';
import { EndingLinkCodes } from './link/ending-link-codes.js';
import { InviteRepository } from './link/invite.repository.js';
import { LinkPresenter } from './link/link-presenter.js';
import { LinkSealer } from './link/link-sealer.js';
import { LinkTerminationRepository } from './link/link-termination.repository.js';
import { LinkRepository } from './link/link.repository.js';
import { ListLinks } from './link/list-links.handler.js';
import { PurgeLinks } from './link/purge-links.job.js';
import { ReadLink } from './link/read-link.handler.js';
import { ResolveLinks } from './link/resolve-links.handler.js';
import { DescribeMessage } from './message/describe-message.handler.js';
import { DrawMessages } from './message/draw-messages.handler.js';
import { LinkMessageQueue } from './message/link-message-queue.js';
import { LinkMessageRepository } from './message/link-message.repository.js';
import { MessageCountRepository } from './message/message-count.repository.js';
import { PurgeMessages } from './message/purge-messages.job.js';
import { FetchThreatLists } from './safety/fetch-threat-lists.job.js';
import { RefreshBlocklist } from './safety/refresh-blocklist.job.js';
import { urlSafetyProvider } from './safety/url-safety.js';
import { GrantRecallRepository } from './sharing/grant/grant-recall.repository.js';
import { GrantSealer } from './sharing/grant/grant-sealer.js';
import { GrantStateRepository } from './sharing/grant/grant-state.repository.js';
import { GrantRepository } from './sharing/grant/grant.repository.js';
import { SealSend } from './sharing/grant/seal-send.handler.js';
import { OnGrantsRecalled } from './sharing/grant/on-grants-recalled.consumer.js';
import { RedeemInteraction } from './sharing/grant/redeem-interaction.handler.js';
import { ResolveGrants } from './sharing/grant/resolve-grants.handler.js';
import { AddOneTimeLink } from './sharing/ingot/add-one-time-link.handler.js';
import { DeliverLink } from './sharing/ingot/deliver-link.handler.js';
import { IngotShareReader } from './sharing/ingot/ingot-share-reader.js';
import { IngotShareRepository } from './sharing/ingot/ingot-share.repository.js';
import { InviteToShare } from './sharing/ingot/invite-to-share.handler.js';
import { OnIngotsEnded } from './sharing/ingot/on-ingots-ended.consumer.js';
import { OneTimeLinkRepository } from './sharing/ingot/one-time-link.repository.js';
import { PutIngotShare } from './sharing/ingot/put-ingot-share.handler.js';
import { ReadIngotShare } from './sharing/ingot/read-ingot-share.handler.js';
import { ResendShareInvite } from './sharing/ingot/resend-share-invite.handler.js';
import { RevokeLinks } from './sharing/ingot/revoke-links.handler.js';
import { WithdrawShareInvite } from './sharing/ingot/withdraw-share-invite.handler.js';
import { LinkTermsRepository } from './sharing/spark/link-terms.repository.js';
import { ReadShare } from './sharing/spark/read-share.handler.js';
import { ResendSparkInvitation } from './sharing/spark/resend-spark-invitation.handler.js';
import { ShareSpark } from './sharing/spark/share-spark.handler.js';
import { SparkInvitationRepository } from './sharing/spark/spark-invitation.repository.js';
import { SparkShareRepository } from './sharing/spark/spark-share.repository.js';
import { UnshareSpark } from './sharing/spark/unshare-spark.handler.js';
import { BurnRepository } from './spark/burning/burn.repository.js';
import { ClaimedContent } from './spark/burning/claimed-content.js';
import { JoinKindling } from './kindling/join-kindling.handler.js';
import { KindlingRepository } from './kindling/kindling.repository.js';
import { KindlingJoiner } from './kindling/kindling-joiner.js';
import { PurgeKindlings } from './kindling/purge-kindlings.job.js';
import { MaintainTombstones } from './spark/burning/maintain-tombstones.job.js';
import { TombstoneRepository } from './spark/burning/tombstone.repository.js';
import { CreateSpark } from './spark/create-spark.handler.js';
import { DeleteSpark } from './spark/delete-spark.handler.js';
import { ExpireSparks } from './spark/expire-sparks.job.js';
import { ListKindling } from './spark/list-kindling.handler.js';
import { ListSparks } from './spark/list-sparks.handler.js';
import { MintSparks } from './spark/minting/mint-sparks.handler.js';
import { MintedSparkRepository } from './spark/minting/minted-spark.repository.js';
import { OnSparksUnclaimed } from './spark/minting/on-sparks-unclaimed.consumer.js';
import { OptimisticBurn } from './spark/optimistic-burn.js';
import { ReadSpark } from './spark/read-spark.handler.js';
import { SharedContentSealer } from './spark/sealing/shared-content-sealer.js';
import { SharedContentRepository } from './spark/sealing/shared-content.repository.js';
import { SparkSealer } from './spark/sealing/spark-sealer.js';
import { SparkBatches } from './spark/spark-batches.js';
import { SparkLister } from './spark/spark-lister.js';
import { SparkListRepository } from './spark/spark-list.repository.js';
import { SparkRemovalRepository } from './spark/spark-removal.repository.js';
import { SparkRepository } from './spark/spark.repository.js';
import { LinkAdmission } from './visit/admission/link-admission.js';
import { LinkPolicyRepository } from './visit/admission/link-policy.repository.js';
import { OwnerLinkPolicy } from './visit/admission/owner-link-policy.js';
import { PurgeLinkPolicies } from './visit/admission/purge-link-policies.job.js';
import { VisitedLinkRepository } from './visit/admission/visited-link.repository.js';
import { AccessRecorder } from './visit/opening/access-recorder.js';
import { DurableShareRedirect } from './visit/opening/durable-share-redirect.js';
import { IngotLinkOpener } from './visit/opening/ingot-link-opener.js';
import { DescribeShare } from './visit/opening/describe-share.handler.js';
import { LinkOpener } from './visit/opening/link-opener.js';
import { OpenShare } from './visit/opening/open-share.handler.js';
import { OpenLink } from './visit/opening/open-link.handler.js';
import { OpeningRepository } from './visit/opening/opening.repository.js';
import { PolicyChecker } from './visit/opening/policy-checker.js';
import { SparkLinkOpener } from './visit/opening/spark-link-opener.js';
import { SparkPresenter } from './visit/opening/spark-presenter.js';
import { VisitorVerifier } from './visit/opening/visitor-verifier.js';
import { FindPasskeys } from './visit/passkey/find-passkeys.handler.js';
import { PasskeyAdmission } from './visit/passkey/passkey-admission.js';
import { PasskeyCeremony } from './visit/passkey/passkey-ceremony.js';
import { PasskeySubjects } from './visit/passkey/passkey-subjects.js';
import { PasskeyRepository } from './visit/passkey/passkey.repository.js';
import { RelyingParty } from './visit/passkey/relying-party.js';
import { StartPasskey } from './visit/passkey/start-passkey.handler.js';
import { VerifyPasskey } from './visit/passkey/verify-passkey.handler.js';
import { CodeBudgetRepository } from './visit/verification/code-budget.repository.js';
import { ConfirmVerification } from './visit/verification/confirm-verification.handler.js';
import { OneTimeCodes } from './visit/verification/one-time-codes.js';
import { PurgeVerifications } from './visit/verification/purge-verifications.job.js';
import { StartVerification } from './visit/verification/start-verification.handler.js';
import { SubjectMacs } from './visit/verification/subject-macs.js';
import { VerificationTokens } from './visit/verification/verification-tokens.js';
import { VerificationRepository } from './visit/verification/verification.repository.js';

@Module({
  controllers: [
    CreateSpark,
    ReadSpark,
    ListSparks,
    ListKindling,
    JoinKindling,
    DeleteSpark,
    MintSparks,
    OnSparksUnclaimed,
    SealSend,
    OnGrantsRecalled,
    ResolveGrants,
    RedeemInteraction,
    ShareSpark,
    ReadShare,
    UnshareSpark,
    ResendSparkInvitation,
    PutIngotShare,
    ReadIngotShare,
    InviteToShare,
    ResendShareInvite,
    WithdrawShareInvite,
    AddOneTimeLink,
    DeliverLink,
    RevokeLinks,
    OnIngotsEnded,
    ListLinks,
    ReadLink,
    DeleteLink,
    ResolveLinks,
    OpenLink,
    DescribeShare,
    OpenShare,
    StartVerification,
    ConfirmVerification,
    StartPasskey,
    VerifyPasskey,
    FindPasskeys,
    DescribeMessage,
    DrawMessages,
    GenerateEntropy,
  ],
  providers: [
    ...dataKeysProviders('sparks', SparksConfig),
    ...epochKeysProviders,
    servedShardProvider('sparks', SparksConfig),
    SparkRepository,
    SparkBatches,
    SparkLister,
    SparkListRepository,
    KindlingJoiner,
    KindlingRepository,
    BurnRepository,
    OptimisticBurn,
    SparkRemovalRepository,
    TombstoneRepository,
    SparkSealer,
    SharedContentSealer,
    SharedContentRepository,
    ClaimedContent,
    MintedSparkRepository,
    GrantSealer,
    GrantRepository,
    GrantRecallRepository,
    GrantStateRepository,
    SparkShareRepository,
    SparkInvitationRepository,
    LinkTermsRepository,
    IngotShareReader,
    IngotShareRepository,
    OneTimeLinkRepository,
    LinkRepository,
    LinkTerminationRepository,
    EndingLinkCodes,
    LinkPresenter,
    CreatorPresenter,
    LinkSealer,
    InviteRepository,
    LinkAdmission,
    VisitorVerifier,
    PolicyChecker,
    OwnerLinkPolicy,
    LinkPolicyRepository,
    SparkLinkOpener,
    DurableShareRedirect,
    IngotLinkOpener,
    LinkOpener,
    SparkPresenter,
    AccessRecorder,
    OpeningRepository,
    VisitedLinkRepository,
    urlSafetyProvider,
    OneTimeCodes,
    SubjectMacs,
    CodeBudgetRepository,
    VerificationTokens,
    VerificationRepository,
    PasskeyAdmission,
    PasskeySubjects,
    PasskeyCeremony,
    PasskeyRepository,
    RelyingParty,
    LinkMessageQueue,
    LinkMessageRepository,
    MessageCountRepository,
    entropySourceProvider,
    EntropyRecorder,
    ...scheduled(
      ExpireSparks,
      MaintainTombstones,
      PurgeKindlings,
      PurgeLinks,
      PurgeLinkPolicies,
      PurgeMessages,
      PurgeVerifications,
      DestroyEpochKeys,
      RefreshBlocklist,
      FetchThreatLists,
    ),
  ],
})
export class SparksModule {}
