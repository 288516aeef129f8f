import { Injectable } from '@nestjs/common';
import { identityKey } from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, epochSeconds, type Queryable, statement } from '@vaultsvc/database';
import { LinkSeal, type SealedText } from './link-seal.js';

/** Somebody who is invited to a link, in clear. */
export interface Invite {
  readonly id: string;
  readonly identity: string;
  /** Epoch seconds. */
  readonly createdAt: number;
}

/** Somebody who is to be invited. */
export interface NewInvite extends SealedText {
  readonly id: string;
  readonly identity: string;
}

/** What is to become of the invites of a link. */
export interface InviteChange {
  readonly dropped: readonly Invite[];
  readonly added: readonly NewInvite[];
}

/** Who is invited to which link. Identities are compared in clear, because what is stored tells nothing. */
@Injectable()
export class InviteRepository {
  constructor(
    private readonly database: Database,
    private readonly seal: LinkSeal,
  ) {}

  /** By link, oldest first; a link without invites has none. Not inside a transaction (see `LinkSeal`). */
  async of(linkIds: readonly string[]): Promise<ReadonlyMap<string, Invite[]>> {
    const rows = await this.database.query<InviteRow>(findInvites, [linkIds]);
    const identities = await this.seal.open(rows.map(sealedOf));
    const invites = new Map<string, Invite[]>();
    rows.forEach(({ id, link_id, created_at }, index) => {
      const invite = { id, identity: identities[index] as string, createdAt: created_at };
      invites.set(link_id, [...(invites.get(link_id) ?? []), invite]);
    });
    return invites;
  }

  async ofOne(linkId: string): Promise<Invite[]> {
    return (await this.of([linkId])).get(linkId) ?? [];
  }

  /** What turns these invites into those wanted. Who is named twice, or in other case, is one (`identityKey`). */
  async change(linkId: string, current: readonly Invite[], wanted: readonly string[]): Promise<InviteChange> {
    const names = new Map(wanted.map((identity) => [identityKey(identity), identity]));
    const dropped = current.filter(({ identity }) => !names.has(identityKey(identity)));
    for (const { identity } of current) names.delete(identityKey(identity));
    return { dropped, added: await this.make(linkId, [...names.values()]) };
  }

  /** Seals new invites; nothing is stored yet. */
  async make(linkId: string, identities: readonly string[]): Promise<NewInvite[]> {
    const sealed = await this.seal.seal(linkId, identities);
    return sealed.map((value, index) => ({
      ...value,
      id: newId('inv_'),
      identity: identities[index] as string,
    }));
  }

  async apply(tx: Queryable, { dropped, added }: InviteChange): Promise<void> {
    if (dropped.length > 0) await tx.query(dropInvites, [dropped.map(({ id }) => id)]);
    for (const { id, linkId, kid, sealed } of added) await tx.query(insertInvite, [id, linkId, kid, sealed]);
  }
}

/** The invite of this identity; addresses are compared without regard to case. */
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

function sealedOf({ link_id, kid, sealed_identity }: InviteRow): SealedText {
  return { linkId: link_id, kid, sealed: sealed_identity };
}

const findInvites = statement(
  'sparks.find-invites',
  `SELECT id, link_id, kid, sealed_identity, ${epochSeconds('created_at')}
     FROM invites WHERE link_id = ANY($1::uuid[]) ORDER BY link_id, invites.created_at, id`,
);

// One by one, in their order: by the clock, so that they are listed as they were named.
const insertInvite = statement(
  'sparks.insert-invite',
  `INSERT INTO invites (id, link_id, kid, sealed_identity, created_at) VALUES ($1, $2, $3, $4, clock_timestamp())`,
);

const dropInvites = statement('sparks.drop-invites', `DELETE FROM invites WHERE id = ANY($1::text[])`);
