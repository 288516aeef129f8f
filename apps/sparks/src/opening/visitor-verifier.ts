import { Injectable } from '@nestjs/common';
import { AppError, identityTypeOf, serviceContext, type VisitContext } from '@vaultsvc/contracts';
import { describeActor } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';
import { findInvite, InviteRepository, type Invite } from '../link/invite.repository.js';
import { VerificationTokens } from '../verification/verification-tokens.js';
import type { VisitedLink } from './visited-link.repository.js';

/** Who a visitor has proved to be. */
export interface Proof {
  readonly identity: string;
  /** The invite that it is good by; null where anybody may open who proves an identity. */
  readonly inviteId: string | null;
}

/**
 * Finds out who a visitor is (OPEN-25): by the token of a one-time code, or by a full session, of whichever account. An
 * API key proves nobody: it is no person's.
 */
@Injectable()
export class VisitorVerifier {
  constructor(
    private readonly tokens: VerificationTokens,
    private readonly invites: InviteRepository,
    private readonly bus: Bus,
  ) {}

  /** null where nobody need prove anything; throws LINK_VERIFICATION_REQUIRED for whoever the link is not for (LNK-18). */
  async verify(link: VisitedLink, token: string | undefined, context: VisitContext): Promise<Proof | null> {
    if (link.visibility === 'public') return null;
    const invites = link.visibility === 'invite_only' ? await this.invites.ofOne(link.id) : null;
    const proof =
      good(invites, token && (await this.tokens.identityOf(link.id, token))) ??
      good(invites, await this.#addressOf(context));
    if (!proof) throw verificationRequired(invites);
    return proof;
  }

  /** The address of the session's user; undefined without a session, and for a user who is removed. */
  async #addressOf({ credential, requestId, deadlineMs }: VisitContext): Promise<string | undefined> {
    if (credential.kind !== 'session' || credential.userId === null) return undefined;
    const body = { account_id: credential.accountId, kind: 'user', actor_id: credential.userId } as const;
    const { label } = await this.bus.call(describeActor, { body }, serviceContext(requestId, deadlineMs));
    return label ?? undefined;
  }
}

function good(invites: readonly Invite[] | null, identity: string | undefined): Proof | undefined {
  if (!identity) return undefined;
  if (invites === null) return { identity, inviteId: null };
  const invite = findInvite(invites, identity);
  return invite && { identity, inviteId: invite.id };
}

/** By which ways a code can be sent: to those who are invited, or to anybody. */
function verificationRequired(invites: readonly Invite[] | null): AppError {
  const types = new Set(invites?.map(({ identity }) => identityTypeOf(identity)) ?? ['email', 'phone']);
  const methods = [...(types.has('email') ? ['email'] : []), ...(types.has('phone') ? ['sms'] : [])];
  return new AppError('LINK_VERIFICATION_REQUIRED', { verification: { methods } });
}
