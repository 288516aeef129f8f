import { Injectable } from '@nestjs/common';
import { AppError, serviceContext, type VisitContext } from '@vaultsvc/contracts';
import { describeActor } from '@vaultsvc/contracts/auth';
import type { VerificationLevel } from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';
import { findInvite, InviteRepository, type Invite } from '../../link/invite.repository.js';
import { VerificationTokens, type VerifiedIdentity } from '../verification/verification-tokens.js';
import { verificationMethods } from '../admission/verification-methods.js';
import type { VisitedLink } from '../admission/visited-link.repository.js';

/** The identity that a visitor has proved. */
export interface Proof {
  readonly identity: string;
  /** The invite for this identity; null for a link that every proved identity may open. */
  readonly inviteId: string | null;
  /** When it was proved, in epoch seconds; null for a session, whose sign-in is not known here. */
  readonly verifiedAt: number | null;
}

/** A proved identity, and how it was proved. */
interface Candidate extends Omit<VerifiedIdentity, 'method' | 'verifiedAt'> {
  readonly method: VerifiedIdentity['method'] | 'session';
  readonly verifiedAt: number | null;
}

/**
 * The methods that prove an identity for a grant of each level (NTF-08). A session does not show that its user receives
 * what is sent by a second channel, nor that the user has a passkey.
 */
const acceptedMethods: Readonly<Record<VerificationLevel, readonly Candidate['method'][]>> = {
  none: [],
  identifier: ['code', 'session'],
  passkey: ['passkey'],
  out_of_band: ['code'],
  dual_control: ['code', 'session'],
};

/**
 * Verifies a visitor's identity (OPEN-25) by the token of a one-time code or of a passkey, or by a full session of any
 * account. An API key proves no identity: it does not belong to a person.
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
      proofOf(link, invites, token ? await this.tokens.identityOf(link.id, token) : undefined) ??
      proofOf(link, invites, accepts(link, 'session') ? await this.#sessionUser(context) : undefined);
    if (!proof) throw verificationRequired(link, invites);
    return proof;
  }

  /** The e-mail address of the session's user; undefined without a session and for a deleted user. */
  async #sessionUser(context: VisitContext): Promise<Candidate | undefined> {
    const { credential } = context;
    if (credential.kind !== 'session' || credential.userId === null) return undefined;
    const body = { account_id: credential.accountId, kind: 'user', actor_id: credential.userId } as const;
    const { label } = await this.bus.call(describeActor, { body }, serviceContext(context));
    return label ? { identity: label, method: 'session', verifiedAt: null } : undefined;
  }
}

function accepts({ policy }: VisitedLink, method: Candidate['method']): boolean {
  return policy === null || acceptedMethods[policy.level].includes(method);
}

function proofOf(
  link: VisitedLink,
  invites: readonly Invite[] | null,
  candidate: Candidate | undefined,
): Proof | undefined {
  if (!candidate || !accepts(link, candidate.method)) return undefined;
  const { identity, verifiedAt } = candidate;
  if (invites === null) return { identity, inviteId: null, verifiedAt };
  const invite = findInvite(invites, identity);
  return invite && { identity, inviteId: invite.id, verifiedAt };
}

/** Names the methods for an invited identity, or without invites for any. */
function verificationRequired(link: VisitedLink, invites: readonly Invite[] | null): AppError {
  const identities = invites?.map(({ identity }) => identity) ?? null;
  return new AppError('LINK_VERIFICATION_REQUIRED', { verification: verificationMethods(link, identities) });
}
