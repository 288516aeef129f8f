import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { actorOf, serviceContext, type AccountContext } from '@vaultsvc/contracts';
import type { NewSend, RecalledGrants } from '@vaultsvc/contracts/notify';
import { sealSend, type NewGrant } from '@vaultsvc/contracts/sparks';
import { createGrantLink } from '@vaultsvc/contracts/vaults';
import { newId, shardOf } from '@vaultsvc/crypto/encoding';
import { Bus } from '@vaultsvc/messaging';
import type { AddressedRecipient, SendTerms } from './send-terms.js';

/** The chosen ids of the grants of a send, before they exist. */
export type PlannedGrants = readonly (AddressedRecipient & {
  readonly linkId: string;
  readonly assetId: string;
})[];

/**
 * Chooses the ids of links and Sparks, so that a failed send can recall those that exist. An ingot exists already. The ids are
 * random, and in ascending order: rows that are inserted so fill the pages of their indexes.
 */
export function planGrants({ recipients, ingotId, accountId }: SendTerms): PlannedGrants {
  const shard = shardOf(accountId);
  const linkIds = recipients.map(() => randomUUID()).sort();
  const assetIds = recipients.map(() => ingotId ?? newId('spk_', shard)).sort();
  return recipients.map((recipient, index) => ({
    ...recipient,
    linkId: linkIds[index] as string,
    assetId: assetIds[index] as string,
  }));
}

/** The recall of all grants of a send. */
export function recallOf({ accountId, ingotId }: SendTerms, grants: PlannedGrants): RecalledGrants {
  return {
    account_id: accountId,
    link_ids: grants.map(({ linkId }) => linkId),
    spark_ids: ingotId === null ? grants.map(({ assetId }) => assetId) : [],
  };
}

/** Has sparks seal the content with a grant for each recipient (NTF-06, NTF-23), or vaults create the link of an ingot (NTF-07). */
@Injectable()
export class GrantMinter {
  constructor(private readonly bus: Bus) {}

  /** Returns the expiry in epoch seconds. The gateway has verified that the token may write. */
  async linkIngot(
    { ingot_id, vault_id }: NonNullable<NewSend['ingot']>,
    [grant]: PlannedGrants,
    terms: SendTerms,
    groupId: string,
    context: AccountContext,
  ): Promise<number> {
    if (!grant || !context.vault) throw new Error('the link of an ingot needs a grant and a vault');
    const body = {
      ...ownerOf(terms, context),
      vault_id,
      ingot_id,
      vat: context.vault.token,
      link_id: grant.linkId,
      expires_in_seconds: terms.ttlSeconds,
      group_id: groupId,
      policy: terms.policy,
      identity: grant.identity,
    };
    const created = await this.bus.call(createGrantLink, { body }, serviceContext(context));
    return created.expires_at;
  }

  /** Returns the expiry in epoch seconds. Throws what sparks refuses the content with; the grants may exist if no reply came. */
  async mint(
    content: NonNullable<NewSend['content']>,
    grants: PlannedGrants,
    terms: SendTerms,
    groupId: string,
    context: AccountContext,
  ): Promise<number> {
    const body = {
      ...ownerOf(terms, context),
      group_id: groupId,
      ttl_seconds: terms.ttlSeconds,
      content_type: content.content_type,
      filename: content.filename,
      content: Buffer.from(content.payload).toString('base64'),
      policy: terms.policy,
      grants: grants.map(toNewGrant),
    };
    const { expires_at } = await this.bus.call(sealSend, { body }, serviceContext(context));
    return expires_at;
  }
}

function ownerOf({ accountId }: SendTerms, context: AccountContext) {
  return { account_id: accountId, ...actorOf(context) };
}

function toNewGrant({ linkId, assetId, identity }: PlannedGrants[number]): NewGrant {
  return { link_id: linkId, spark_id: assetId, identity };
}
