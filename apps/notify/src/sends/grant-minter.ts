import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { serviceContext, type AccountContext } from '@vaultsvc/contracts';
import type { NewSend, RecalledGrants } from '@vaultsvc/contracts/notify';
import { MINT_BYTES_MAX, MINT_GRANTS_MAX, mintGrants, type NewGrant } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { Bus } from '@vaultsvc/messaging';
import type { GrantedRecipient } from './send.repository.js';
import type { SendTerms } from './send-terms.js';

/** The chosen ids of the grants of a send, before they exist. */
export type PlannedGrants = readonly (GrantedRecipient & { readonly identity: string | null })[];

/** Chooses the ids, so that a failed send can recall what may exist. */
export function planGrants({ recipients }: SendTerms): PlannedGrants {
  return recipients.map((recipient) => ({ ...recipient, linkId: randomUUID(), assetId: newId('spk_') }));
}

export function recallOf(accountId: string, grants: PlannedGrants): RecalledGrants {
  return {
    account_id: accountId,
    link_ids: grants.map(({ linkId }) => linkId),
    spark_ids: grants.map(({ assetId }) => assetId),
  };
}

/** Has sparks seal the content for each recipient (NTF-06, NTF-23). */
@Injectable()
export class GrantMinter {
  constructor(private readonly bus: Bus) {}

  /** Returns the expiry in epoch seconds. Throws what sparks refuses the content with; grants of former batches may exist. */
  async mint(
    content: NonNullable<NewSend['content']>,
    grants: PlannedGrants,
    terms: SendTerms,
    groupId: string,
    { credential, requestId, deadlineMs }: AccountContext,
  ): Promise<number> {
    const bytes = Buffer.byteLength(content.payload);
    const size = Math.max(1, Math.min(MINT_GRANTS_MAX, Math.floor(MINT_BYTES_MAX / bytes)));
    const body = {
      account_id: terms.accountId,
      actor_type: credential.kind,
      actor_id: credential.userId ?? credential.credentialId,
      group_id: groupId,
      ttl_seconds: terms.ttlSeconds,
      content_type: content.content_type,
      filename: content.filename,
      content: Buffer.from(content.payload).toString('base64'),
      policy: terms.policy,
    };
    let expiresAt = 0;
    for (let start = 0; start < grants.length; start += size) {
      const batch = grants.slice(start, start + size).map(toNewGrant);
      const context = serviceContext(requestId, deadlineMs);
      const minted = await this.bus.call(mintGrants, { body: { ...body, grants: batch } }, context);
      expiresAt ||= minted.expires_at;
    }
    return expiresAt;
  }
}

function toNewGrant({ linkId, assetId, identity }: PlannedGrants[number]): NewGrant {
  return { link_id: linkId, spark_id: assetId, identity };
}
