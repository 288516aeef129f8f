import { event } from '../core/event.js';
import { IdOf, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

/**
 * What happened to the role owner of a person. `invited`: an invitation with the role. `joined`: it was accepted. `granted`,
 * `revoked`: a change of the role. `removed`: an owner was removed. `withdrawn`: an invitation with the role was.
 */
export const ownerChanges = ['invited', 'joined', 'granted', 'revoked', 'removed', 'withdrawn'] as const;
export type OwnerChange = (typeof ownerChanges)[number];

/** Payload of `ownersChanged`, and body of `describeOwnerNotice`. */
export class OwnerNoticeReference {
  @Text({ max: 36 }) notice_id: string;
}

/** Payload of `ownersChanged`: one event for each owner, who gets a mail. */
export class OwnersChanged extends OwnerNoticeReference {
  @IdOf('acc') account_id: string;
}

/** Content of the mail to an owner about a change of the owners (OPEN-59). */
export class OwnerNotice {
  @Text({ max: 254, description: 'The address of the owner who gets the mail.' }) email: string;
  @Name({ max: 255 }) organization_name: string;
  @OneOf(ownerChanges) change: OwnerChange;
  @Text({ max: 254, description: 'The address of the person whose role it is.' }) person_email: string;
  @Text({ max: 254, nullable: true, description: 'The address of the acting owner; null for joined.' })
  actor_email: string | null;
}

/** Reads the content of a mail about the owners. USER_NOT_FOUND once it was deleted, three days after the change. */
export const describeOwnerNotice = operation({
  name: 'auth.describe-owner-notice',
  summary: 'Reads recipient and content of the mail to an owner about a change of the owners.',
  access: 'internal',
  callers: ['notify'],
  body: OwnerNoticeReference,
  reply: OwnerNotice,
  errors: ['USER_NOT_FOUND'],
  repeatable: true,
});

/** Somebody becomes an owner, is invited as one, or is one no longer (OPEN-59). */
export const ownersChanged = event({
  name: 'auth.owners-changed',
  payload: OwnersChanged,
  consumers: ['notify'],
});
