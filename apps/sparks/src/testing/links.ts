import { decode, decodeQuery, type AccountContext } from '@vaultsvc/contracts';
import {
  deleteLink,
  LinkListQuery,
  listLinks,
  readLink,
  readShare,
  resendSparkInvitation,
  shareSpark,
  SparkSharing,
  unshareSpark,
} from '@vaultsvc/contracts/sparks';
import { outboxEvents } from '@vaultsvc/testing/harness';
import type { Platform } from './platform.js';

/** For specs: an owner's operations on links, called as the gateway calls them, and the events about links. */
export function linksOf(platform: Platform) {
  const { bus } = platform.harness;
  return {
    share: (sparkId: string, body: object, caller: AccountContext) =>
      bus.call(shareSpark, { params: { spark_id: sparkId }, body: decode(SparkSharing, body) }, caller),
    readShare: (sparkId: string, caller: AccountContext) =>
      bus.call(readShare, { params: { spark_id: sparkId } }, caller),
    unshare: (sparkId: string, caller: AccountContext) =>
      bus.call(unshareSpark, { params: { spark_id: sparkId } }, caller),
    resend: (sparkId: string, caller: AccountContext) =>
      bus.call(resendSparkInvitation, { params: { spark_id: sparkId } }, caller),
    list: (query: Record<string, string>, caller: AccountContext) =>
      bus.call(listLinks, { query: decodeQuery(LinkListQuery, new URLSearchParams(query)) }, caller),
    read: (code: string, caller: AccountContext) =>
      bus.call(readLink, { params: { link_code: code } }, caller),
    remove: (code: string, caller: AccountContext) =>
      bus.call(deleteLink, { params: { link_code: code } }, caller),
    /** The events about the links of an asset, oldest first, and those about enqueued messages. */
    publishedEvents: (assetId: string) => outboxEvents(platform.service, { asset_id: assetId }),
    enqueuedMessages: (accountId: string) =>
      platform.sql<PublishedEvent>(
        `SELECT name, account_id, request_id, payload FROM recorded_events
          WHERE name = 'sparks.message-owed' AND account_id = $1 ORDER BY seq`,
        [accountId],
      ),
  };
}

export interface PublishedEvent {
  [column: string]: unknown;
  name: string;
  account_id: string;
  request_id: string | null;
  payload: Record<string, unknown>;
}
