/**
 * The one error table of the platform. A **code** is what a caller programs against; it fixes the
 * HTTP status. A **reason** is what the code throws: it fixes the code and the public sentence, so that two
 * situations that must look alike to a caller (an unknown id, a foreign id) share one reason by construction.
 */

/** Public code → HTTP status. Only the two HTTP surfaces read the status. */
export const errorStatus = {
  VALIDATION_ERROR: 400,
  AUTHENTICATION_ERROR: 401,
  UNAUTHORIZED: 401,
  TOKEN_REPLAY: 401,
  PLAN_REQUIRED: 402,
  QUOTA_EXCEEDED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  UPLOAD_SOURCE_DISABLED: 404,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  CRYPTOGRAPHIC_ERROR: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

interface Reason {
  readonly code: ErrorCode;
  readonly message: string;
}

const reasonTable = {
  // Any operation may answer these; a contract does not repeat them.
  VALIDATION_ERROR: { code: 'VALIDATION_ERROR', message: 'The request is not valid.' },
  MALFORMED_JSON: { code: 'VALIDATION_ERROR', message: 'The body is not valid JSON.' },
  CURSOR_INVALID: { code: 'VALIDATION_ERROR', message: 'The cursor is not valid for this list.' },
  AUTHENTICATION_ERROR: { code: 'AUTHENTICATION_ERROR', message: 'Missing or invalid credentials.' },
  PLAN_REQUIRED: { code: 'PLAN_REQUIRED', message: 'An active subscription is required.' },
  QUOTA_EXCEEDED: { code: 'QUOTA_EXCEEDED', message: 'A usage pool of this account is exhausted.' },
  HTTPS_REQUIRED: { code: 'FORBIDDEN', message: 'HTTPS required.' },
  ROLE_REQUIRED: { code: 'FORBIDDEN', message: 'This operation needs the admin or owner role.' },
  SESSION_REQUIRED: { code: 'FORBIDDEN', message: 'This operation needs a full user session.' },
  IDENTITY_SESSION_REQUIRED: { code: 'FORBIDDEN', message: 'This operation needs an identity-only session.' },
  REGISTRATION_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'Complete the sign-up before using the account routes.',
  },
  NOT_FOUND: { code: 'NOT_FOUND', message: 'The requested resource does not exist.' },
  PAYLOAD_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The body exceeds a size limit.' },
  RATE_LIMIT_EXCEEDED: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many operations in this minute.' },
  BUSY: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many callers are at the same thing at this moment. Try again in a second.',
  },
  INTERNAL_ERROR: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred.' },

  // Sign-in and sessions
  IDENTITY_REFUSED: { code: 'UNAUTHORIZED', message: 'The identity provider does not confirm this sign-in.' },
  EMAIL_NOT_VERIFIED: {
    code: 'UNAUTHORIZED',
    message: 'The identity provider has not verified the e-mail address of this sign-in.',
  },
  REFRESH_TOKEN_INVALID: { code: 'UNAUTHORIZED', message: 'The refresh token is not valid. Sign in again.' },
  TOKEN_REPLAY: {
    code: 'TOKEN_REPLAY',
    message: 'This refresh token was used before. The session has been ended; sign in again.',
  },
  ORIGIN_REFUSED: { code: 'FORBIDDEN', message: 'Pages of this origin may not use browser sessions.' },
  ACCOUNT_SUSPENDED: { code: 'FORBIDDEN', message: 'This organization is suspended.' },
  SIGNUP_COMPLETED: {
    code: 'CONFLICT',
    message: 'This identity belongs to an organization already. Sign in again.',
  },
  DOMAIN_CLAIMED: { code: 'FORBIDDEN', message: 'Another organization has claimed this e-mail domain.' },

  // People
  USER_NOT_FOUND: { code: 'NOT_FOUND', message: 'User not found.' },
  EMAIL_TAKEN: { code: 'CONFLICT', message: 'This e-mail address belongs to an organization already.' },
  INVITATIONS_EXHAUSTED: {
    code: 'CONFLICT',
    message: 'This account has invited too many people within an hour. Try again later.',
  },
  SEATS_EXHAUSTED: { code: 'CONFLICT', message: 'All seats of this account are taken.' },
  LAST_OWNER: { code: 'CONFLICT', message: 'An organization needs an owner: name another one first.' },

  // Claimed domains
  DOMAIN_NOT_FOUND: { code: 'NOT_FOUND', message: 'Domain not found.' },
  DOMAIN_OWNED: { code: 'CONFLICT', message: 'This organization has claimed this domain already.' },

  // API keys
  API_KEY_NOT_FOUND: { code: 'NOT_FOUND', message: 'API key not found.' },

  // Sparks
  SPARK_NOT_FOUND: { code: 'NOT_FOUND', message: 'Spark not found.' },
  SPARK_BURNED: { code: 'FORBIDDEN', message: 'This Spark has been burned.' },
  SPARK_EXPIRED: { code: 'FORBIDDEN', message: 'This Spark has expired.' },
  SPARK_READ_IN_FLIGHT: { code: 'CONFLICT', message: 'This Spark is being read by another caller.' },
  KINDLING_NOT_FOUND: { code: 'NOT_FOUND', message: 'Kindling group not found.' },

  // SparkLinks. The first of them is what owners see, word by word (LNK-07); the others are what visitors see.
  SPARKLINK_NOT_FOUND: { code: 'VALIDATION_ERROR', message: 'SparkLink not found' },
  LINK_NOT_FOUND: { code: 'NOT_FOUND', message: 'This link leads nowhere. Check that it is complete.' },
  LINK_CONSUMED: { code: 'FORBIDDEN', message: 'This link has been opened before. It opens once.' },
  LINK_REVOKED: { code: 'FORBIDDEN', message: 'This link was withdrawn by whoever made it.' },
  LINK_EXPIRED: { code: 'FORBIDDEN', message: 'This link has expired.' },
  LINK_SUSPENDED: { code: 'FORBIDDEN', message: 'The files of this vault are not shared at the moment.' },
  LINK_ADDRESS_REFUSED: {
    code: 'FORBIDDEN',
    message: 'This link opens from one network address only, and this is another one.',
  },
  LINK_BEING_OPENED: { code: 'CONFLICT', message: 'Somebody is opening this link at this moment.' },
  LINK_ORIGIN_REFUSED: { code: 'FORBIDDEN', message: 'Pages of other origins cannot open links.' },
  LINK_VERIFICATION_REQUIRED: {
    code: 'AUTHENTICATION_ERROR',
    message: 'This link is for certain people. Prove who you are to open it.',
  },
  LINK_CODE_WRONG: { code: 'UNAUTHORIZED', message: 'This code is not valid, or not any more.' },
  LINK_CODES_EXHAUSTED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many codes were asked for within an hour. Try again later.',
  },
  MESSAGES_EXHAUSTED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'As many messages were asked for as may be sent within an hour. Try again later.',
  },
  INVITE_NOT_FOUND: { code: 'NOT_FOUND', message: 'Invite not found.' },
  INVITES_EXHAUSTED: { code: 'CONFLICT', message: 'This share has as many invites as it may have.' },
  INVITE_TAKEN: { code: 'CONFLICT', message: 'This identity is invited already.' },
  SHARING_DISABLED: {
    code: 'FORBIDDEN',
    message: 'Public file sharing is off for this vault. An admin turns it on: PUT /v1/vaults/{vault_id}.',
  },
  INGOT_NOT_SHARED: { code: 'CONFLICT', message: 'This ingot is not shared. Share it first.' },

  // Vaults
  VAULT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Vault not found.' },
  VAULT_NAME_TAKEN: { code: 'CONFLICT', message: 'Another vault of this account has this name.' },
  VAULT_KEY_WRONG: { code: 'PRECONDITION_FAILED', message: 'This key does not open this vault.' },
  DVAK_INVALID: { code: 'UNAUTHORIZED', message: 'The delegated key is not valid.' },
  DVAK_OF_ANOTHER_USER: { code: 'FORBIDDEN', message: 'This delegated key is for another user.' },
  DVAK_NOT_FOUND: { code: 'NOT_FOUND', message: 'No delegated key of this vault ends so.' },
  DVAK_REVOKED: { code: 'VALIDATION_ERROR', message: 'This delegated key is revoked already.' },
  VAT_EXPIRED: { code: 'FORBIDDEN', message: 'The Vault Access Token has expired.' },
  VAT_OUT_OF_SCOPE: {
    code: 'FORBIDDEN',
    message: 'The Vault Access Token is not for this vault and this caller.',
  },
  VAT_READ_ONLY: { code: 'FORBIDDEN', message: 'The Vault Access Token may read only.' },

  // Folders
  FOLDER_NOT_FOUND: { code: 'NOT_FOUND', message: 'Folder not found.' },
  FOLDER_NAME_TAKEN: { code: 'CONFLICT', message: 'Another folder in this place has this name.' },
  FOLDER_CYCLE: { code: 'CONFLICT', message: 'A folder cannot go into itself or a folder below it.' },
  FOLDER_NOT_EMPTY: { code: 'CONFLICT', message: 'This folder is not empty.' },

  // Ingots
  INGOT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Ingot not found.' },
  INGOT_NAME_TAKEN: { code: 'CONFLICT', message: 'Another ingot in this folder has this name.' },
  INGOT_NAME_AMBIGUOUS: {
    code: 'CONFLICT',
    message: 'Several folders hold an ingot of this name. Use its id.',
  },
  INGOT_MANAGED: { code: 'FORBIDDEN', message: 'This ingot is managed by a product. Use its endpoints.' },
  INGOT_CHANGED: { code: 'PRECONDITION_FAILED', message: 'This ingot has changed since.' },
  INGOT_NOT_STRUCTURED: {
    code: 'FORBIDDEN',
    message: 'This ingot is not a structured one. Use the routes of ingots.',
  },
  STRUCTURED_OVERTAKEN: {
    code: 'PRECONDITION_FAILED',
    message:
      'Another call was changing this ingot at the same moment. This one has changed nothing: send it again.',
  },
  INGOT_UPLOADING: {
    code: 'VALIDATION_ERROR',
    message: 'This ingot is being uploaded. Cancel the upload, or delete it an hour after it began.',
  },
  INGOT_NOT_READY: { code: 'CONFLICT', message: 'This ingot has no content yet.' },
  UPLOAD_SOURCE_DISABLED: {
    code: 'UPLOAD_SOURCE_DISABLED',
    message: 'Uploads through this source are not enabled for this vault.',
  },

  // Entropy
  ENTROPY_UNAVAILABLE: {
    code: 'CRYPTOGRAPHIC_ERROR',
    message: 'The hardware source of random data does not answer. There is no other source: try again later.',
  },

  // Transfers
  UPLOAD_NOT_FOUND: { code: 'NOT_FOUND', message: 'Upload not found.' },
  UPLOAD_OFFSET_TAKEN: {
    code: 'CONFLICT',
    message: 'Another request has written at this offset. Ask for the offset with HEAD and go on from there.',
  },
  TUS_VERSION_UNSUPPORTED: { code: 'PRECONDITION_FAILED', message: 'Tus-Resumable must be 1.0.0.' },
} as const satisfies Record<string, Reason>;

export type ErrorReason = keyof typeof reasonTable;

/** Reasons as a null-prototype table: a name that arrives over the wire never finds `Object.prototype`. */
export const errorReasons: Readonly<Record<ErrorReason, Reason>> = Object.freeze(
  Object.assign(Object.create(null) as Record<ErrorReason, Reason>, reasonTable),
);

/** Whether a text that crossed a process border names a reason of this build. */
export function isErrorReason(text: string): text is ErrorReason {
  return text in errorReasons;
}

/** What every operation may answer without naming it in its contract. */
export const commonReasons: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  'VALIDATION_ERROR',
  'MALFORMED_JSON',
  'CURSOR_INVALID',
  'AUTHENTICATION_ERROR',
  'PLAN_REQUIRED',
  'QUOTA_EXCEEDED',
  'HTTPS_REQUIRED',
  'ROLE_REQUIRED',
  'SESSION_REQUIRED',
  'IDENTITY_SESSION_REQUIRED',
  'REGISTRATION_REQUIRED',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_EXCEEDED',
  'BUSY',
  'INTERNAL_ERROR',
]);

/** Facts for the caller, shown in `error.details`. Never a secret, never an internal message. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The only error a caller ever sees the text of. Thrown anywhere; crosses NATS as its reason and details.
 * `cause` is for the operator's log and never leaves the process.
 */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly reason: ErrorReason,
    readonly details?: ErrorDetails,
    options?: { cause?: unknown },
  ) {
    super(errorReasons[reason].message, options);
  }

  get code(): ErrorCode {
    return errorReasons[this.reason].code;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** A problem with one named field; the message never holds the value. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** 400 VALIDATION_ERROR that names what to mend, field by field. */
export function validationError(...fields: FieldProblem[]): AppError {
  return new AppError('VALIDATION_ERROR', { fields });
}
