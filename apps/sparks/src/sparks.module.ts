import { Module } from '@nestjs/common';
import { scheduled } from '@vaultsvc/service';
import { dataKeysProviders } from '@vaultsvc/service/keys';
import { SparksConfig } from './config.js';
import { EntropyRecorder } from './entropy/entropy-recorder.js';
import { entropySourceProvider } from './entropy/entropy-source.js';
import { GenerateEntropy } from './entropy/generate-entropy.handler.js';
import { epochKeysProviders } from './epoch-keys/epoch-keys.providers.js';
import { GrantRecallRepository } from './grant/grant-recall.repository.js';
import { GrantRepository } from './grant/grant.repository.js';
import { GrantSealer } from './grant/grant-sealer.js';
import { GrantStateRepository } from './grant/grant-state.repository.js';
import { MintGrants } from './grant/mint-grants.handler.js';
import { OnGrantsRecalled } from './grant/on-grants-recalled.consumer.js';
import { RedeemInteraction } from './grant/redeem-interaction.handler.js';
import { ResolveGrants } from './grant/resolve-grants.handler.js';
import { AddOneTimeLink } from './ingot-link/add-one-time-link.handler.js';
import { DeliverLink } from './ingot-link/deliver-link.handler.js';
import { IngotShareReader } from './ingot-link/ingot-share-reader.js';
import { IngotShareRepository } from './ingot-link/ingot-share.repository.js';
import { InviteToShare } from './ingot-link/invite-to-share.handler.js';
import { OnIngotsEnded } from './ingot-link/on-ingots-ended.consumer.js';
import { OneTimeLinkRepository } from './ingot-link/one-time-link.repository.js';
import { PutIngotShare } from './ingot-link/put-ingot-share.handler.js';
import { ReadIngotShare } from './ingot-link/read-ingot-share.handler.js';
import { ResendShareInvite } from './ingot-link/resend-share-invite.handler.js';
import { RevokeLinks } from './ingot-link/revoke-links.handler.js';
import { WithdrawShareInvite } from './ingot-link/withdraw-share-invite.handler.js';
import {
  DestroyEpochKeys,
  PurgeKindlings,
  PurgeLinkPolicies,
  PurgeLinks,
  PurgeMessages,
  PurgeVerifications,
} from './jobs/purge-expired.job.js';
import { DeleteLink } from './link/delete-link.handler.js';
import { EndingLinkCodes } from './link/ending-link-codes.js';
import { InviteRepository } from './link/invite.repository.js';
import { LinkPresenter } from './link/link-presenter.js';
import { LinkSealer } from './link/link-sealer.js';
import { LinkTerminationRepository } from './link/link-termination.repository.js';
import { LinkRepository } from './link/link.repository.js';
import { ListLinks } from './link/list-links.handler.js';
import { ReadLink } from './link/read-link.handler.js';
import { ResolveLinks } from './link/resolve-links.handler.js';
import { DescribeMessage } from './message/describe-message.handler.js';
import { DrawMessages } from './message/draw-messages.handler.js';
import { MessageCountRepository } from './message/message-count.repository.js';
import { MessageQueue } from './message/message-queue.js';
import { MessageRepository } from './message/message.repository.js';
import { MintSparks } from './minting/mint-sparks.handler.js';
import { MintedSparkRepository } from './minting/minted-spark.repository.js';
import { OnSparksUnclaimed } from './minting/on-sparks-unclaimed.consumer.js';
import { AccessRecorder } from './opening/access-recorder.js';
import { IngotLinkOpener } from './opening/ingot-link-opener.js';
import { LinkAdmission } from './opening/link-admission.js';
import { LinkPolicyRepository } from './opening/link-policy.repository.js';
import { OpenLink } from './opening/open-link.handler.js';
import { OpeningRepository } from './opening/opening.repository.js';
import { OwnerLinkPolicy } from './opening/owner-link-policy.js';
import { PolicyChecker } from './opening/policy-checker.js';
import { SparkLinkOpener } from './opening/spark-link-opener.js';
import { SparkPresenter } from './opening/spark-presenter.js';
import { VisitedLinkRepository } from './opening/visited-link.repository.js';
import { VisitorVerifier } from './opening/visitor-verifier.js';
import { FindPasskeys } from './passkey/find-passkeys.handler.js';
import { PasskeyAdmission } from './passkey/passkey-admission.js';
import { PasskeyCeremony } from './passkey/passkey-ceremony.js';
import { PasskeyRepository } from './passkey/passkey.repository.js';
import { PasskeySubjects } from './passkey/passkey-subjects.js';
import { RelyingParty } from './passkey/relying-party.js';
import { StartPasskey } from './passkey/start-passkey.handler.js';
import { VerifyPasskey } from './passkey/verify-passkey.handler.js';
import { FetchThreatLists } from './safety/fetch-threat-lists.job.js';
import { RefreshBlocklist } from './safety/refresh-blocklist.job.js';
import { urlSafetyProvider } from './safety/url-safety.js';
import { ClaimedContent } from './shared-content/claimed-content.js';
import { SharedContentRepository } from './shared-content/shared-content.repository.js';
import { SharedContentSealer } from './shared-content/shared-content-sealer.js';
import { LinkTermsRepository } from './sharing/link-terms.repository.js';
import { ReadShare } from './sharing/read-share.handler.js';
import { ShareSpark } from './sharing/share-spark.handler.js';
import { SparkShareRepository } from './sharing/spark-share.repository.js';
import { UnshareSpark } from './sharing/unshare-spark.handler.js';
import { BurnRepository } from './spark/burn.repository.js';
import { CreateSpark } from './spark/create-spark.handler.js';
import { DeleteSpark } from './spark/delete-spark.handler.js';
import { ExpireSparks } from './spark/expire-sparks.job.js';
import { ListSparks } from './spark/list-sparks.handler.js';
import { MaintainTombstones } from './spark/maintain-tombstones.job.js';
import { OptimisticBurn } from './spark/optimistic-burn.js';
import { ReadSpark } from './spark/read-spark.handler.js';
import { SparkBatches } from './spark/spark-batches.js';
import { SparkListRepository } from './spark/spark-list.repository.js';
import { SparkRemovalRepository } from './spark/spark-removal.repository.js';
import { SparkSealer } from './spark/spark-sealer.js';
import { SparkRepository } from './spark/spark.repository.js';
import { TombstoneRepository } from './spark/tombstone.repository.js';
import { CodeBudgetRepository } from './verification/code-budget.repository.js';
import { ConfirmVerification } from './verification/confirm-verification.handler.js';
import { OneTimeCodes } from './verification/one-time-codes.js';
import { StartVerification } from './verification/start-verification.handler.js';
import { SubjectMacs } from './verification/subject-macs.js';
import { VerificationTokens } from './verification/verification-tokens.js';
import { VerificationRepository } from './verification/verification.repository.js';

@Module({
  controllers: [
    CreateSpark,
    ReadSpark,
    ListSparks,
    DeleteSpark,
    MintSparks,
    OnSparksUnclaimed,
    MintGrants,
    OnGrantsRecalled,
    ResolveGrants,
    RedeemInteraction,
    ShareSpark,
    ReadShare,
    UnshareSpark,
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
    SparkRepository,
    SparkBatches,
    SparkListRepository,
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
    LinkTermsRepository,
    IngotShareReader,
    IngotShareRepository,
    OneTimeLinkRepository,
    LinkRepository,
    LinkTerminationRepository,
    EndingLinkCodes,
    LinkPresenter,
    LinkSealer,
    InviteRepository,
    LinkAdmission,
    VisitorVerifier,
    PolicyChecker,
    OwnerLinkPolicy,
    LinkPolicyRepository,
    SparkLinkOpener,
    IngotLinkOpener,
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
    MessageQueue,
    MessageRepository,
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
