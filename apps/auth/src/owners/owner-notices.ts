import { Injectable } from '@nestjs/common';
import type { AccountContext } from '@vaultsvc/contracts';
import { ownersChanged, type OwnerChange, type OwnerNotice } from '@vaultsvc/contracts/auth';
import { Database, statement, type Transaction } from '@vaultsvc/database';
import { Outbox } from '@vaultsvc/messaging';

/** Who becomes an owner or ceases to be one, and by whom. */
export interface OwnerChangeFact {
  readonly accountId: string;
  readonly change: OwnerChange;
  readonly userId: string;
  /** The acting owner; null for an accepted invitation. */
  readonly actorId: string | null;
  readonly requestId: string;
}

/** A change by an owner in a session. */
export function ownerChangeBy(
  { credential, requestId }: AccountContext,
  change: OwnerChange,
  userId: string,
): OwnerChangeFact {
  return { accountId: credential.accountId, change, userId, actorId: credential.userId, requestId };
}

/** The mails to all owners about a change of the owners (OPEN-59). */
@Injectable()
export class OwnerNotices {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Announces a change to each active owner. Call it while the person has the role: after a grant, so that the new owner gets the
   * mail, and before a demotion or removal, so that the former owner does. Nothing happens if the person has another role.
   */
  async announce(tx: Transaction, fact: OwnerChangeFact): Promise<void> {
    const { accountId, change, userId, actorId, requestId } = fact;
    const notices = await tx.query<{ id: string }>(insertNotices, [accountId, userId, actorId, change]);
    for (const { id } of notices)
      await this.outbox.publish(
        tx,
        ownersChanged,
        { account_id: accountId, notice_id: id },
        { requestId, accountId },
      );
  }

  /** The content of a mail; undefined once it was deleted. */
  async describe(id: string): Promise<OwnerNotice | undefined> {
    const [notice] = await this.database.query<OwnerNotice>(describeNotice, [id]);
    return notice;
  }

  /** Deletes the contents of mails that are sent, or are retried no longer: three days after the change. */
  async deleteOld(): Promise<void> {
    await this.database.query(deleteOld);
  }
}

const insertNotices = statement(
  'auth.insert-owner-notices',
  `INSERT INTO owner_notices (account_id, email, change, person_email, actor_email)
   SELECT $1, owner.email, $4, person.email, actor.email
     FROM users person
     JOIN users owner ON owner.account_id = $1 AND owner.role = 'owner' AND owner.status = 'active'
     LEFT JOIN users actor ON actor.account_id = $1 AND actor.id = $3
    WHERE person.account_id = $1 AND person.id = $2 AND person.role = 'owner'
    ORDER BY owner.id
   RETURNING id`,
);

const describeNotice = statement(
  'auth.describe-owner-notice',
  `SELECT n.email, a.organization_name, n.change, n.person_email, n.actor_email
     FROM owner_notices n JOIN accounts a ON a.id = n.account_id
    WHERE n.id = $1::uuid`,
);

const deleteOld = statement(
  'auth.delete-owner-notices',
  `DELETE FROM owner_notices WHERE created_at < now() - interval '3 days'`,
);
