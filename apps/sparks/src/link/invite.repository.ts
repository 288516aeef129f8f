import { Injectable } from '@nestjs/common';
import { identityKey } from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';
import { LinkSealer, type SealedLinkText } from './link-sealer.js';

/** An invited identity in clear. */
export interface Invite {
  readonly id: string;
  readonly identity: string;
  /** Epoch seconds. */
  readonly createdAt: number;
}

/** An invite before its insertion. */
export interface NewInvite extends SealedLinkText {
  readonly id: string;
  readonly identity: string;
}

/** The difference between the current and the requested invites of a link. */
export interface InviteChange {
  readonly removed: readonly Invite[];
  readonly added: readonly NewInvite[];
}

/** The invites of links. Identities are compared in clear: sealing the same identity twice gives different bytes. */
@Injectable()
export class InviteRepository {
  constructor(
    private readonly database: Database,
    private readonly sealer: LinkSealer,
  ) {}

  /** By link id, oldest first; a link without invites has no entry. Not inside a transaction (see `LinkSealer`). */
  async findByLinks(linkIds: readonly string[]): Promise<ReadonlyMap<string, Invite[]>> {
    const rows = await this.database.query<InviteRow>(findInvites, [linkIds]);
    const identities = await this.sealer.openTexts(rows.map(sealedOf));
    const invites = new Map<string, Invite[]>();
    rows.forEach(({ id, link_id, created_at }, index) => {
      const invite = { id, identity: identities[index] as string, createdAt: created_at };
      invites.set(link_id, [...(invites.get(link_id) ?? []), invite]);
    });
    return invites;
  }

  async findByLink(linkId: string): Promise<Invite[]> {
    return (await this.findByLinks([linkId])).get(linkId) ?? [];
  }

  /** The change from `current` to `requested`, which may repeat an identity or vary its case (`identityKey`). */
  async diff(
    linkId: string,
    current: readonly Invite[],
    requested: readonly string[],
  ): Promise<InviteChange> {
    const byKey = new Map(requested.map((identity) => [identityKey(identity), identity]));
    const removed = current.filter(({ identity }) => !byKey.has(identityKey(identity)));
    for (const { identity } of current) byKey.delete(identityKey(identity));
    return { removed, added: await this.seal(linkId, [...byKey.values()]) };
  }

  /** Seals new invites without storing them. */
  async seal(linkId: string, identities: readonly string[]): Promise<NewInvite[]> {
    const sealed = await this.sealer.sealTexts(linkId, identities);
    return sealed.map((value, index) => ({
      ...value,
      id: newId('inv_'),
      identity: identities[index] as string,
    }));
  }

  async apply(tx: Queryable, { removed, added }: InviteChange): Promise<void> {
    if (removed.length > 0) await tx.query(deleteInvites, [removed.map(({ id }) => id)]);
    for (const { id, linkId, kid, sealed } of added) await tx.query(insertInvite, [id, linkId, kid, sealed]);
  }
}

/** The invite of this identity; e-mail addresses are compared case-insensitively. */
export function findInvite(invites: readonly Invite[], identity: string): Invite | undefined {
  return invites.find((invite) => identityKey(invite.identity) === identityKey(identity));
}

interface InviteRow {
  id: string;
  link_id: string;
  kid: string;
  sealed_identity: Buffer;
  created_at: number;
}

function sealedOf({ link_id, kid, sealed_identity }: InviteRow): SealedLinkText {
  return { linkId: link_id, kid, sealed: sealed_identity };
}

/** In the order in which they were requested (SHR-04). */
const findInvites = statement(
  'sparks.find-invites',
  `SELECT id, link_id, kid, sealed_identity, ${epochSeconds('created_at')}
     FROM invites WHERE link_id = ANY($1::uuid[]) ORDER BY link_id, invites.created_at, id`,
);

// One statement each, with the clock's time: they are listed in the order of the request.
const insertInvite = statement(
  'sparks.insert-invite',
  `INSERT INTO invites (id, link_id, kid, sealed_identity, created_at) VALUES ($1, $2, $3, $4, clock_timestamp())`,
);

const deleteInvites = statement('sparks.delete-invites', `DELETE FROM invites WHERE id = ANY($1::text[])`);
