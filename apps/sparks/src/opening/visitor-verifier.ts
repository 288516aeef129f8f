import { Injectable } from '@nestjs/common';
import { AppError, identityTypeOf, serviceContext, type VisitContext } from '@vaultsvc/contracts';
import { describeActor } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import { findInvite, InviteRepository, type Invite } from '../link/invite.repository.js';
import { VerificationTokens } from '../verification/verification-tokens.js';
import type { VisitedLink } from './visited-link.repository.js';

/** The identity that a visitor has proved. */
export interface Proof {
  readonly identity: string;
  /** The invite for this identity; null for a link that every proved identity may open. */
  readonly inviteId: string | null;
}

/**
 * Verifies a visitor's identity (OPEN-25) by the token of a one-time code, or by a full session of any account. An API key
 * proves no identity: it does not belong to a person.
 */
@Injectable()
export class VisitorVerifier {
  constructor(
    private readonly tokens: VerificationTokens,
    private readonly invites: InviteRepository,
    private readonly bus: Bus,
  ) {}

  /** Returns null for a public link. Throws LINK_VERIFICATION_REQUIRED without an identity that may open the link (LNK-18). */
  async verify(link: VisitedLink, token: string | undefined, context: VisitContext): Promise<Proof | null> {
    if (link.visibility === 'public') return null;
    const invites = link.visibility === 'invite_only' ? await this.invites.findByLink(link.id) : null;
    const proof =
      proofOf(invites, token && (await this.tokens.identityOf(link.id, token))) ??
      proofOf(invites, await this.#sessionAddress(context));
    if (!proof) throw verificationRequired(invites);
    return proof;
  }

  /** The e-mail address of the session's user; undefined without a session and for a deleted user. */
  async #sessionAddress({ credential, requestId, deadlineMs }: VisitContext): Promise<string | undefined> {
    if (credential.kind !== 'session' || credential.userId === null) return undefined;
    const body = { account_id: credential.accountId, kind: 'user', actor_id: credential.userId } as const;
    const { label } = await this.bus.call(describeActor, { body }, serviceContext(requestId, deadlineMs));
    return label ?? undefined;
  }
}

function proofOf(invites: readonly Invite[] | null, identity: string | undefined): Proof | undefined {
  if (!identity) return undefined;
  if (invites === null) return { identity, inviteId: null };
  const invite = findInvite(invites, identity);
  return invite && { identity, inviteId: invite.id };
}

/** Names the methods by which a code can be sent: to an invited identity, or without invites to any. */
function verificationRequired(invites: readonly Invite[] | null): AppError {
  const types = new Set(invites?.map(({ identity }) => identityTypeOf(identity)) ?? ['email', 'phone']);
  const methods = [...(types.has('email') ? ['email'] : []), ...(types.has('phone') ? ['sms'] : [])];
  return new AppError('LINK_VERIFICATION_REQUIRED', { verification: { methods } });
}
