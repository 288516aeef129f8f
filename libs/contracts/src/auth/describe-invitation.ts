import { IdOf, Name, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';

export class InvitedUser {
  @IdOf('usr') user_id: string;
}

/** What an invitation says. The address crosses here and not in the event, which streams keep. */
export class InvitationText {
  @Text({ max: 254 }) email: string;
  @Name({ max: 255 }) organization_name: string;
  @Text({
    max: 255,
    nullable: true,
    description: 'The name of who invited; null for an API key or without one.',
  })
  invited_by: string | null;
  /** A field of its own: a name may have the shape of an address, and must not be taken for one. */
  @Text({ max: 254, nullable: true, description: 'The address of who invited; null for an API key.' })
  invited_by_email: string | null;
}

export const describeInvitation = operation({
  name: 'auth.describe-invitation',
  summary: 'Whom to write to, and about what, while the person is still invited.',
  access: 'internal',
  body: InvitedUser,
  reply: InvitationText,
  errors: ['USER_NOT_FOUND'],
  repeatable: true,
});
