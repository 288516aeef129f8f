import { Module } from '@nestjs/common';
import { scheduled } from '@vaultsvc/service';
import { dataKeysProviders } from '@vaultsvc/service/keys';
import { SparksConfig } from './config.js';
import { entropyProviders } from './entropy/entropy.providers.js';
import { AddOneTimeLink } from './ingot-link/add-one-time-link.handler.js';
import { DeliverLink } from './ingot-link/deliver-link.handler.js';
import { IngotShareRepository } from './ingot-link/ingot-share.repository.js';
import { IngotShareReader } from './ingot-link/ingot-share-reader.js';
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
  PurgeLinks,
  PurgeMessages,
  PurgeVerifications,
} from './jobs/purge-expired.job.js';
import { ExpireSparks } from './spark/expire-sparks.job.js';
import { SparkSealer } from './spark/spark-sealer.js';
import { LinkCodes } from './link/link-codes.js';
import { LinkSeal } from './link/link-seal.js';
import { DeleteLink } from './link/delete-link.handler.js';
import { InviteRepository } from './link/invite.repository.js';
import { LinkTerminationRepository } from './link/link-termination.repository.js';
import { LinkRepository } from './link/link.repository.js';
import { ListLinks } from './link/list-links.handler.js';
import { OwnLinks } from './link/own-links.js';
import { ReadLink } from './link/read-link.handler.js';
import { SharedFiles } from './link/shared-files.js';
import { LinkPresenter } from './link/link-presenter.js';
import { Deliveries } from './message/deliveries.js';
import { DescribeMessage } from './message/describe-message.handler.js';
import { MessageCountRepository } from './message/message-count.repository.js';
import { MessageRepository } from './message/message.repository.js';
import { ReadShare } from './sharing/read-share.handler.js';
import { ShareSpark } from './sharing/share-spark.handler.js';
import { SparkShareRepository } from './sharing/spark-share.repository.js';
import { LinkTermsRepository } from './sharing/link-terms.repository.js';
import { UnshareSpark } from './sharing/unshare-spark.handler.js';
import { MessageQueue } from './message/message-queue.js';
import { MintSparks } from './minting/mint-sparks.handler.js';
import { MintedSparkRepository } from './minting/minted-spark.repository.js';
import { OnSparksUnclaimed } from './minting/on-sparks-unclaimed.consumer.js';
import { WithdrawalRepository } from './minting/withdrawal.repository.js';
import { FetchThreatLists } from './safety/fetch-threat-lists.job.js';
import { RefreshBlocklist } from './safety/refresh-blocklist.job.js';
import { urlSafetyProvider } from './safety/url-safety.js';
import { openingProviders } from './opening/opening.providers.js';
import { BurnRepository } from './spark/burn.repository.js';
import { CreateSpark } from './spark/create-spark.handler.js';
import { DeleteSpark } from './spark/delete-spark.handler.js';
import { ListSparks } from './spark/list-sparks.handler.js';
import { ReadSpark } from './spark/read-spark.handler.js';
import { SparkRemovalRepository } from './spark/spark-removal.repository.js';
import { SparkListRepository } from './spark/spark-list.repository.js';
import { SparkRepository } from './spark/spark.repository.js';
import { verificationProviders } from './verification/verification.providers.js';

@Module({
  providers: [
    ...dataKeysProviders('sparks', SparksConfig),
    urlSafetyProvider,
    ...openingProviders,
    ...verificationProviders,
    ...entropyProviders,
    SparkSealer,
    LinkCodes,
    LinkSeal,
    MessageQueue,
    DeleteLink,
    InviteRepository,
    LinkTerminationRepository,
    LinkRepository,
    ListLinks,
    OwnLinks,
    ReadLink,
    SharedFiles,
    LinkPresenter,
    ReadShare,
    ShareSpark,
    SparkShareRepository,
    LinkTermsRepository,
    DescribeMessage,
    MessageCountRepository,
    MessageRepository,
    Deliveries,
    IngotShareReader,
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
    SparkRemovalRepository,
    CreateSpark,
    ReadSpark,
    ListSparks,
    DeleteSpark,
    MintSparks,
    MintedSparkRepository,
    OnSparksUnclaimed,
    WithdrawalRepository,
    ...scheduled(
      ExpireSparks,
      PurgeKindlings,
      PurgeLinks,
      PurgeMessages,
      PurgeVerifications,
      DestroyEpochKeys,
      RefreshBlocklist,
      FetchThreatLists,
    ),
  ],
})
export class SparksModule {}
