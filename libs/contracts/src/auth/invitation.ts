import { EXAMPLE_MEMBER, exampleTime } from '../core/example-values.js';
import { Example } from '../core/example.js';
import { EpochSeconds, Flag, IdOf, Name, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { RegisteredSession, SESSION_BODY_BYTES_MAX } from './opened-session.js';
import { roles } from './user.js';

/** An invitation as its person sees it (OPEN-59). */
@Example({
  invitation_id: EXAMPLE_MEMBER.user_id,
  role: 'member',
  invited_by: 'Ana Example',
  expires_at: exampleTime(14 * 86_400),
})
export class PendingInvitation {
  @IdOf('usr', { description: 'The id of the invited user.' }) invitation_id: string;
  @Name({ max: 255 }) organization_name: string;
  @OneOf(roles) role: (typeof roles)[number];
  @Text({
    max: 255,
    nullable: true,
    description: 'Name or e-mail address of the inviting user; null for an API key and after its removal.',
  })
  invited_by: string | null;
  @EpochSeconds({ description: '14 days after the invitation was last sent.' }) expires_at: number;
}

/** Path parameters of operations on one invitation. */
@Example({ invitation_id: EXAMPLE_MEMBER.user_id })
export class InvitationParams {
  @IdOf('usr') invitation_id: string;
}

/** The session of a user who joined an organization. */
@Example({ user: EXAMPLE_MEMBER })
export class JoinedSession extends RegisteredSession {}

/** Accepts an invitation: the person becomes a user of the organization. */
export const acceptInvitation = operation({
  name: 'auth.accept-invitation',
  summary:
    'Joins the organization of an invitation with the signed-in identity, and opens a full session. Only for the person with the invited e-mail address.',
  http: { method: 'POST', path: '/v1/invitations/{invitation_id}/accept', status: 200 },
  access: { credential: 'identity-only' },
  session: 'opens',
  bodyBytesMax: SESSION_BODY_BYTES_MAX,
  params: InvitationParams,
  unknown: 'INVITATION_NOT_FOUND',
  reply: JoinedSession,
  errors: [
    'INVITATION_NOT_FOUND',
    'DOMAIN_CLAIMED',
    'ACCOUNT_SUSPENDED',
    'EMAIL_TAKEN',
    'SIGNUP_COMPLETED',
    'ORIGIN_REFUSED',
  ],
});

/** An invitation that was declined. */
@Example({ invitation_id: EXAMPLE_MEMBER.user_id })
export class DeclinedInvitation {
  @IdOf('usr') invitation_id: string;
  @Flag({ description: 'Always true.' }) declined: boolean;
}

/** Declines an invitation: the invited user is removed. */
export const declineInvitation = operation({
  name: 'auth.decline-invitation',
  summary: 'Declines an invitation. Its seat becomes free, and the organization may invite the person again.',
  http: { method: 'POST', path: '/v1/invitations/{invitation_id}/decline', status: 200 },
  access: { credential: 'identity-only' },
  params: InvitationParams,
  unknown: 'INVITATION_NOT_FOUND',
  reply: DeclinedInvitation,
  errors: ['INVITATION_NOT_FOUND'],
});

/** Body of `describeInvitation`. */
export class InvitedUser {
  @IdOf('usr') user_id: string;
}

/** Content of an invitation. Streams keep events, so the address is read here instead. */
export class InvitationText {
  @Text({ max: 254 }) email: string;
  @Name({ max: 255 }) organization_name: string;
  @Text({
    max: 255,
    nullable: true,
    description: 'The name of the inviting user; null for an API key and for a user without a name.',
  })
  invited_by: string | null;
  /** Separate from the name, because a name may look like an address and must not be used as one. */
  @Text({
    max: 254,
    nullable: true,
    description: 'The e-mail address of the inviting user; null for an API key.',
  })
  invited_by_email: string | null;
  @EpochSeconds() expires_at: number;
}

/** Reads the content of an invitation. USER_NOT_FOUND if it was accepted, declined or withdrawn, or has expired. */
export const describeInvitation = operation({
  name: 'auth.describe-invitation',
  summary: 'Reads recipient and content of the invitation of a user who has not joined yet.',
  access: 'internal',
  callers: ['notify'],
  body: InvitedUser,
  reply: InvitationText,
  errors: ['USER_NOT_FOUND'],
  repeatable: true,
});
