import { Module } from '@nestjs/common';
import { scheduled } from '@vaultsvc/service';
import { dataKeysProviders } from '@vaultsvc/service/keys';
import { SparksConfig } from './config.js';
import { entropyProviders } from './entropy/entropy.providers.js';
import { AddOneTimeLink } from './ingot-link/add-one-time-link.handler.js';
import { DeliverLink } from './ingot-link/deliver-link.handler.js';
import { IngotShareRepository } from './ingot-link/ingot-share.repository.js';
import { IngotShares } from './ingot-link/ingot-shares.js';
import { InviteToShare } from './ingot-link/invite-to-share.handler.js';
import { OnIngotsEnded } from './ingot-link/on-ingots-ended.consumer.js';
import { OneTimeLinkRepository } from './ingot-link/one-time-link.repository.js';
import { PutIngotShare } from './ingot-link/put-ingot-share.handler.js';
import { ReadIngotShare } from './ingot-link/read-ingot-share.handler.js';
import { ResendShareInvite } from './ingot-link/resend-share-invite.handler.js';
import { RevokeLinks } from './ingot-link/revoke-links.handler.js';
import { WithdrawShareInvite } from './ingot-link/withdraw-share-invite.handler.js';
import { DestroyEpochKeys } from './jobs/destroy-epoch-keys.job.js';
import { ExpireSparks } from './jobs/expire-sparks.job.js';
import { ForgetKindlings } from './jobs/forget-kindlings.job.js';
import { ForgetLinks } from './jobs/forget-links.job.js';
import { ForgetMessages } from './jobs/forget-messages.job.js';
import { SparkSeal } from './keys/spark-seal.js';
import { LinkCodes } from './link/link-codes.js';
import { LinkSeal } from './link/link-seal.js';
import { DeleteLink } from './link/delete-link.handler.js';
import { Invites } from './link/invites.js';
import { LinkEndings } from './link/link-endings.js';
import { LinkRepository } from './link/link.repository.js';
import { ListLinks } from './link/list-links.handler.js';
import { OwnLinks } from './link/own-links.js';
import { ReadLink } from './link/read-link.handler.js';
import { SharedFiles } from './link/shared-files.js';
import { ShownLinks } from './link/shown-links.js';
import { Deliveries } from './message/deliveries.js';
import { DescribeMessage } from './message/describe-message.handler.js';
import { MessageCountRepository } from './message/message-count.repository.js';
import { MessageRepository } from './message/message.repository.js';
import { ReadShare } from './sharing/read-share.handler.js';
import { ShareSpark } from './sharing/share-spark.handler.js';
import { SparkShareRepository } from './sharing/spark-share.repository.js';
import { TermsRepository } from './sharing/terms.repository.js';
import { UnshareSpark } from './sharing/unshare-spark.handler.js';
import { Messages } from './message/messages.js';
import { MintSparks } from './minting/mint-sparks.handler.js';
import { MintingRepository } from './minting/minting.repository.js';
import { OnSparksUnclaimed } from './minting/on-sparks-unclaimed.consumer.js';
import { WithdrawalRepository } from './minting/withdrawal.repository.js';
import { FetchThreatLists } from './safety/fetch-threat-lists.job.js';
import { RefreshBlocklist } from './safety/refresh-blocklist.job.js';
import { safetyProviders } from './safety/safety.providers.js';
import { openingProviders } from './opening/opening.providers.js';
import { BurnRepository } from './spark/burn.repository.js';
import { CreateSpark } from './spark/create-spark.handler.js';
import { DeleteSpark } from './spark/delete-spark.handler.js';
import { ListSparks } from './spark/list-sparks.handler.js';
import { ReadSpark } from './spark/read-spark.handler.js';
import { RemovalRepository } from './spark/removal.repository.js';
import { SparkListRepository } from './spark/spark-list.repository.js';
import { SparkRepository } from './spark/spark.repository.js';
import { ForgetVerifications } from './verification/forget-verifications.job.js';
import { verificationProviders } from './verification/verification.providers.js';

@Module({
  providers: [
    ...dataKeysProviders('sparks', SparksConfig),
    ...safetyProviders,
    ...openingProviders,
    ...verificationProviders,
    ...entropyProviders,
    SparkSeal,
    LinkCodes,
    LinkSeal,
    Messages,
    DeleteLink,
    Invites,
    LinkEndings,
    LinkRepository,
    ListLinks,
    OwnLinks,
    ReadLink,
    SharedFiles,
    ShownLinks,
    ReadShare,
    ShareSpark,
    SparkShareRepository,
    TermsRepository,
    DescribeMessage,
    MessageCountRepository,
    MessageRepository,
    Deliveries,
    IngotShares,
    IngotShareRepository,
    OneTimeLinkRepository,
    PutIngotShare,
    ReadIngotShare,
    InviteToShare,
    WithdrawShareInvite,
    AddOneTimeLink,
    DeliverLink,
    ResendShareInvite,
    RevokeLinks,
    OnIngotsEnded,
    UnshareSpark,
    SparkRepository,
    BurnRepository,
    SparkListRepository,
    RemovalRepository,
    CreateSpark,
    ReadSpark,
    ListSparks,
    DeleteSpark,
    MintSparks,
    MintingRepository,
    OnSparksUnclaimed,
    WithdrawalRepository,
    ...scheduled(
      ExpireSparks,
      ForgetKindlings,
      ForgetLinks,
      ForgetMessages,
      ForgetVerifications,
      DestroyEpochKeys,
      RefreshBlocklist,
      FetchThreatLists,
    ),
  ],
})
export class SparksModule {}
