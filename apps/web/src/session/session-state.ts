import type { Schema } from '@vaultsvc/client';

export type Me = Schema<'Me'>;
export type PendingInvitation = Schema<'PendingInvitation'>;

/** A signed-in person in an organization. */
export interface Member extends Me {
  readonly user: NonNullable<Me['user']>;
  readonly account: NonNullable<Me['account']>;
}

/** Whether the person manages people, keys and settings of the organization. */
export const isManager = ({ role }: Pick<Me, 'role'>): boolean => role === 'admin' || role === 'owner';

/** What the application knows of the session. */
export type SessionState =
  | { readonly status: 'starting' }
  | { readonly status: 'signed-out'; readonly isLeaving: boolean }
  /** The session could not be read or opened. */
  | { readonly status: 'failed'; readonly error: unknown }
  /** Signed in, without an organization. */
  | { readonly status: 'joining'; readonly invitations: readonly PendingInvitation[] }
  | {
      readonly status: 'open';
      readonly me: Member;
      /** Whether the API has refused the session since; the page stays until the person has signed in again. */
      readonly hasEnded: boolean;
    };

/** The state of a session that the API has described. */
export function stateOf(me: Me): SessionState {
  const { user, account } = me;
  if (!user || !account) return { status: 'joining', invitations: me.invitations ?? [] };
  return { status: 'open', me: { ...me, user, account }, hasEnded: false };
}
