/** Fragments of statements about a row `u` of `users`. */

/** Whether its invitation can be accepted. The owner of a first account accepts by signing in, at any time (OPEN-62). */
export const IS_INVITED = `u.status = 'invited' AND NOT u.joins_at_sign_in AND u.invitation_expires_at > clock_timestamp()`;

/** Whether its invitation has expired. */
export const IS_EXPIRED = `u.status = 'invited' AND NOT u.joins_at_sign_in AND u.invitation_expires_at <= clock_timestamp()`;

/** Whether it is a user: an expired invitation is none, also before the job removes it. */
export const IS_USER = `u.status <> 'removed' AND NOT (${IS_EXPIRED})`;

/** Removes it. The unique key of a removed user is its own id, so that the address can be used again. */
export const REMOVE = `status = 'removed', email = '', email_key = u.id, name = NULL, version = u.version + 1`;
