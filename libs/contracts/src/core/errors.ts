/**
 * The error table of the platform. Clients handle a **code**, which determines the HTTP status. Services throw a
 * **reason**, which determines the code and the public message. Situations that callers must not be able to tell apart,
 * such as an unknown id and an id of another account, share one reason.
 */

/** HTTP status by public code. Only the gateway and forge use the status. */
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

/** A public error code. */
export type ErrorCode = keyof typeof errorStatus;

interface Reason {
  readonly code: ErrorCode;
  readonly message: string;
}

const reasonTable = {
  // Every operation may return these; contracts do not repeat them.
  VALIDATION_ERROR: { code: 'VALIDATION_ERROR', message: 'The request is not valid.' },
  MALFORMED_JSON: { code: 'VALIDATION_ERROR', message: 'The body is not valid JSON.' },
  CURSOR_INVALID: { code: 'VALIDATION_ERROR', message: 'The cursor is not valid for this list.' },
  AUTHENTICATION_ERROR: { code: 'AUTHENTICATION_ERROR', message: 'Missing or invalid credentials.' },
  // Of a request whose sender is verified, such as a CRM's: it must not count on the address, which many accounts share (OPEN-10).
  VERIFIED_REQUEST_REFUSED: { code: 'AUTHENTICATION_ERROR', message: 'Missing or invalid credentials.' },
  PLAN_REQUIRED: { code: 'PLAN_REQUIRED', message: 'An active subscription is required.' },
  QUOTA_EXCEEDED: { code: 'QUOTA_EXCEEDED', message: 'A usage pool of this account is exhausted.' },
  HTTPS_REQUIRED: { code: 'FORBIDDEN', message: 'HTTPS required.' },
  HOST_REFUSED: {
    code: 'FORBIDDEN',
    message:
      'The local profile accepts requests to localhost, loopback addresses and its configured origins.',
  },
  ORIGIN_UNLISTED: {
    code: 'FORBIDDEN',
    message: 'Pages of this origin may not call the local profile. CORS_ORIGINS lists those that may.',
  },
  ROLE_REQUIRED: { code: 'FORBIDDEN', message: 'This operation needs the admin or owner role.' },
  SESSION_REQUIRED: { code: 'FORBIDDEN', message: 'This operation needs a full user session.' },
  IDENTITY_SESSION_REQUIRED: { code: 'FORBIDDEN', message: 'This operation needs an identity-only session.' },
  REGISTRATION_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'Accept an invitation or complete the sign-up before using account routes.',
  },
  NOT_FOUND: { code: 'NOT_FOUND', message: 'The requested resource does not exist.' },
  PAYLOAD_TOO_LARGE: { code: 'PAYLOAD_TOO_LARGE', message: 'The body exceeds a size limit.' },
  RATE_LIMIT_EXCEEDED: { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many operations in this minute.' },
  BUSY: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many concurrent requests for the same resource. Try again in one second.',
  },
  BODY_BUDGET_EXHAUSTED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many bytes of request bodies are in flight. Try again in one second.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    code: 'CONFLICT',
    message: 'This Idempotency-Key was used for a request with other content. Use a new key for this one.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    code: 'CONFLICT',
    message: 'A request with this Idempotency-Key is under way. Repeat this one after Retry-After.',
  },
  IDEMPOTENCY_KEY_SPENT: {
    code: 'CONFLICT',
    message: 'This request was carried out before. Its response held a secret, which is not repeated.',
  },
  INTERNAL_ERROR: { code: 'INTERNAL_ERROR', message: 'An unexpected error occurred.' },

  // Sign-in and sessions
  IDENTITY_REFUSED: { code: 'UNAUTHORIZED', message: 'The identity provider did not confirm this sign-in.' },
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
    message: 'This identity already belongs to an organization. Sign in again.',
  },
  DOMAIN_CLAIMED: { code: 'FORBIDDEN', message: 'Another organization has claimed this e-mail domain.' },

  // People
  INVITATION_NOT_FOUND: { code: 'NOT_FOUND', message: 'Invitation not found.' },
  USER_NOT_FOUND: { code: 'NOT_FOUND', message: 'User not found.' },
  EMAIL_TAKEN: { code: 'CONFLICT', message: 'This e-mail address already belongs to an organization.' },
  INVITATIONS_EXHAUSTED: {
    code: 'CONFLICT',
    message: 'This account has invited too many people within an hour. Try again later.',
  },
  SEATS_EXHAUSTED: { code: 'CONFLICT', message: 'All seats of this account are in use.' },
  LAST_OWNER: {
    code: 'CONFLICT',
    message: 'An organization needs an owner. Make another user an owner first.',
  },

  // Claimed domains
  DOMAIN_NOT_FOUND: { code: 'NOT_FOUND', message: 'Domain not found.' },
  DOMAIN_OWNED: { code: 'CONFLICT', message: 'This organization has already claimed this domain.' },

  // Integrations
  APP_NOT_FOUND: { code: 'NOT_FOUND', message: 'There is no integration with this id.' },
  APP_NOT_INSTALLED: { code: 'NOT_FOUND', message: 'This integration is not installed.' },
  APP_INSTALLED: { code: 'CONFLICT', message: 'This integration is installed already.' },
  APP_REQUIRED: {
    code: 'CONFLICT',
    message: 'Another installed integration needs this one. Uninstall that one first.',
  },
  APP_CONNECTED: {
    code: 'CONFLICT',
    message: 'This integration is connected to another workspace. Uninstall it before you name one.',
  },
  APP_REMOTE_TAKEN: {
    code: 'CONFLICT',
    message: 'Another account has connected this workspace. It has to uninstall the integration first.',
  },
  APP_GRANT_REFUSED: {
    code: 'UNAUTHORIZED',
    message: 'The provider did not accept the authorization code. Start the installation again.',
  },
  APP_UNCONFIGURED: {
    code: 'CONFLICT',
    message: 'The operator of this platform has not configured this integration.',
  },
  APP_PROVIDER_UNAVAILABLE: {
    code: 'CONFLICT',
    message: 'The provider does not answer. Nothing was changed; try again in a minute.',
  },

  // API keys
  API_KEY_NOT_FOUND: { code: 'NOT_FOUND', message: 'API key not found.' },

  // Sparks
  SPARK_NOT_FOUND: { code: 'NOT_FOUND', message: 'Spark not found.' },
  SPARK_BURNED: { code: 'FORBIDDEN', message: 'This Spark has been burned.' },
  SPARK_EXPIRED: { code: 'FORBIDDEN', message: 'This Spark has expired.' },
  SPARK_READ_IN_FLIGHT: { code: 'CONFLICT', message: 'This Spark is being read by another caller.' },
  KINDLING_NOT_FOUND: { code: 'NOT_FOUND', message: 'Kindling group not found.' },

  // SparkLinks. Owners see the first message, whose wording LNK-07 prescribes; visitors see the others.
  SPARKLINK_NOT_FOUND: { code: 'VALIDATION_ERROR', message: 'SparkLink not found' },
  LINK_NOT_FOUND: { code: 'NOT_FOUND', message: 'This link leads nowhere. Check that it is complete.' },
  LINK_CONSUMED: { code: 'FORBIDDEN', message: 'This link has already been opened. It opens only once.' },
  LINK_REVOKED: { code: 'FORBIDDEN', message: 'The creator of this link has revoked it.' },
  LINK_EXPIRED: { code: 'FORBIDDEN', message: 'This link has expired.' },
  LINK_SUSPENDED: { code: 'FORBIDDEN', message: 'Sharing is currently off for the files of this vault.' },
  LINK_ADDRESS_REFUSED: {
    code: 'FORBIDDEN',
    message: 'This link opens from one network address only, which is not yours.',
  },
  LINK_BEING_OPENED: { code: 'CONFLICT', message: 'Another visitor is opening this link at this moment.' },
  LINK_ORIGIN_REFUSED: { code: 'FORBIDDEN', message: 'Pages of other origins cannot open links.' },
  LINK_VERIFICATION_REQUIRED: {
    code: 'AUTHENTICATION_ERROR',
    message: 'This link is for certain people. Verify your identity to open it.',
  },
  LINK_CODE_WRONG: { code: 'UNAUTHORIZED', message: 'This code is wrong, used or expired.' },
  LINK_CODES_EXHAUSTED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many codes were requested or entered. Try again later.',
  },
  MESSAGES_EXHAUSTED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'The hourly limit of messages is reached. Try again later.',
  },
  LINK_SECOND_PERSON_REQUIRED: {
    code: 'CONFLICT',
    message: 'You are verified. This opens once a second recipient has verified too.',
  },
  LINK_VERIFICATION_STALE: {
    code: 'AUTHENTICATION_ERROR',
    message: 'The sender asks for a more recent verification. Verify your identity again.',
  },
  PASSKEY_REFUSED: { code: 'UNAUTHORIZED', message: 'This passkey was not accepted. Try again.' },
  PASSKEYS_UNAVAILABLE: {
    code: 'CONFLICT',
    message: 'Passkeys need a host name, and links of this installation have an IP address.',
  },
  INTERACTION_TOKEN_INVALID: {
    code: 'UNAUTHORIZED',
    message: 'This page can no longer send an answer: its token is wrong or older than 24 hours.',
  },
  INTERACTION_REFUSED: { code: 'FORBIDDEN', message: 'The sender does not ask for this action.' },
  ACTION_HASH_MISMATCH: {
    code: 'VALIDATION_ERROR',
    message: 'The action_hash is not that of the content that was opened.',
  },
  INTERACTION_DECIDED: { code: 'CONFLICT', message: 'The recipient has already decided differently.' },
  INVITE_NOT_FOUND: { code: 'NOT_FOUND', message: 'Invite not found.' },
  INVITES_EXHAUSTED: { code: 'CONFLICT', message: 'The limit of invites of this share is reached.' },
  INVITE_TAKEN: { code: 'CONFLICT', message: 'This identity is already invited.' },
  SHARING_DISABLED: {
    code: 'FORBIDDEN',
    message:
      'Public file sharing is off for this vault. An admin can turn it on with PUT /v1/vaults/{vault_id}.',
  },
  INGOT_NOT_SHARED: { code: 'CONFLICT', message: 'This ingot is not shared. Share it first.' },

  // Notifications
  SEND_NOT_FOUND: { code: 'NOT_FOUND', message: 'Send not found.' },
  SEND_IN_PROGRESS: {
    code: 'CONFLICT',
    message: 'A send with this send_id is being accepted at this moment. Repeat the request.',
  },
  DELIVERY_NOT_FOUND: { code: 'NOT_FOUND', message: 'Delivery not found.' },
  DELIVERY_NOT_FAILED: {
    code: 'CONFLICT',
    message: 'Only a failed or unconfigured delivery can be sent again, while its link is active.',
  },
  FEED_ORIGIN_REFUSED: {
    code: 'FORBIDDEN',
    message: 'Pages of this origin may not open the live feed. CORS_ORIGINS lists those that may.',
  },
  FEED_SOCKETS_EXHAUSTED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'This account has too many open sockets. Close one, or try again later.',
  },
  PUSH_TOKEN_NOT_FOUND: { code: 'NOT_FOUND', message: 'Push token not found.' },
  UNSUBSCRIBE_LINK_INVALID: {
    code: 'VALIDATION_ERROR',
    message: 'This unsubscribe link is not valid. Check that it is complete.',
  },

  // Vaults
  VAULT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Vault not found.' },
  VAULT_NAME_TAKEN: { code: 'CONFLICT', message: 'Another vault of this account has this name.' },
  VAULT_KEY_WRONG: { code: 'PRECONDITION_FAILED', message: 'This key does not open this vault.' },
  DVAK_INVALID: { code: 'UNAUTHORIZED', message: 'The delegated key is not valid.' },
  DVAK_OF_ANOTHER_USER: { code: 'FORBIDDEN', message: 'This delegated key is for another user.' },
  DVAK_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'No delegated key of this vault ends with these characters.',
  },
  DVAK_REVOKED: { code: 'VALIDATION_ERROR', message: 'This delegated key is already revoked.' },
  VAT_EXPIRED: { code: 'FORBIDDEN', message: 'The Vault Access Token has expired.' },
  VAT_OUT_OF_SCOPE: {
    code: 'FORBIDDEN',
    message: 'The Vault Access Token is not for this vault and this caller.',
  },
  VAT_READ_ONLY: { code: 'FORBIDDEN', message: 'The Vault Access Token may read only.' },

  // Folders
  FOLDER_NOT_FOUND: { code: 'NOT_FOUND', message: 'Folder not found.' },
  FOLDER_NAME_TAKEN: { code: 'CONFLICT', message: 'Another folder in the same parent has this name.' },
  FOLDER_CYCLE: {
    code: 'CONFLICT',
    message: 'A folder cannot be moved into itself or into one of its subfolders.',
  },
  FOLDER_NOT_EMPTY: { code: 'CONFLICT', message: 'This folder is not empty.' },

  // Ingots
  INGOT_NOT_FOUND: { code: 'NOT_FOUND', message: 'Ingot not found.' },
  INGOT_NAME_TAKEN: { code: 'CONFLICT', message: 'Another ingot in this folder has this name.' },
  INGOT_NAME_AMBIGUOUS: {
    code: 'CONFLICT',
    message: 'Several folders contain an ingot with this name. Use its id.',
  },
  INGOT_MANAGED: { code: 'FORBIDDEN', message: 'This ingot is managed by a product. Use its endpoints.' },
  INGOT_CHANGED: {
    code: 'PRECONDITION_FAILED',
    message: 'This ingot has changed since expected_updated_at.',
  },
  INGOT_NOT_STRUCTURED: {
    code: 'FORBIDDEN',
    message: 'This ingot is not a structured one. Use the ingot endpoints.',
  },
  STRUCTURED_OVERTAKEN: {
    code: 'PRECONDITION_FAILED',
    message: 'A concurrent request changed this ingot. This request changed nothing; retry it.',
  },
  INGOT_UPLOADING: {
    code: 'VALIDATION_ERROR',
    message:
      'This ingot is being uploaded. Cancel the upload, or delete the ingot one hour after the upload started.',
  },
  INGOT_NOT_READY: { code: 'CONFLICT', message: 'This ingot has no content yet.' },
  UPLOAD_SOURCE_DISABLED: {
    code: 'UPLOAD_SOURCE_DISABLED',
    message: 'Uploads through this source are not enabled for this vault.',
  },

  // Entropy
  ENTROPY_UNAVAILABLE: {
    code: 'CRYPTOGRAPHIC_ERROR',
    message: 'The hardware source of random data does not respond. Try again later.',
  },

  // Billing
  SUBSCRIPTION_CHANGED: {
    code: 'CONFLICT',
    message: 'The subscription has changed. Preview the adjustment again.',
  },
  PREVIEW_EXPIRED: {
    code: 'CONFLICT',
    message: 'The preview is older than ten minutes. Preview the adjustment again.',
  },
  ALLOWANCE_IN_USE: {
    code: 'CONFLICT',
    message: 'The account uses more storage or seats than the subscription would then allow.',
  },
  SUBSCRIPTION_INACTIVE: {
    code: 'CONFLICT',
    message: 'The subscription is not active. Start one with POST /v1/billing/subscription.',
  },
  SUBSCRIPTION_OF_STORE: {
    code: 'CONFLICT',
    message: 'An app store bills this subscription. Change or cancel it there.',
  },
  INVOICE_NOT_FOUND: { code: 'NOT_FOUND', message: 'Invoice not found.' },
  INVOICE_NOT_OPEN: {
    code: 'CONFLICT',
    message: 'This invoice cannot be charged: it is void, or a checkout pays it.',
  },
  PAYMENT_DECLINED: {
    code: 'CONFLICT',
    message: 'The payment was declined. Use another payment method.',
  },
  PAYMENT_PENDING: {
    code: 'CONFLICT',
    message: 'A payment of this invoice is being confirmed. Read the invoice again in a minute.',
  },
  PAYMENT_METHOD_NOT_FOUND: { code: 'NOT_FOUND', message: 'Payment method not found.' },
  PAYMENT_METHOD_MISSING: {
    code: 'CONFLICT',
    message: 'The account has no payment method. Add one, or open a checkout.',
  },
  PAYMENT_METHOD_REFUSED: {
    code: 'CONFLICT',
    message: 'The payment provider did not accept this payment method.',
  },
  PAYMENT_METHODS_EXHAUSTED: {
    code: 'CONFLICT',
    message: 'The account has 20 payment methods. Delete one first.',
  },
  STORE_UNAVAILABLE: { code: 'CONFLICT', message: 'Purchases in this store are not accepted here.' },
  PURCHASE_REFUSED: { code: 'CONFLICT', message: 'The store does not confirm a current purchase.' },
  PURCHASE_CLAIMED: { code: 'CONFLICT', message: 'Another account has already claimed this purchase.' },

  // Transfers
  UPLOAD_NOT_FOUND: { code: 'NOT_FOUND', message: 'Upload not found.' },
  UPLOAD_OFFSET_TAKEN: {
    code: 'CONFLICT',
    message: 'Another request has written at this offset. Read the offset with HEAD and continue from there.',
  },
  TOO_MANY_DOWNLOADS: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many downloads are running. Try again when some of them have ended.',
  },
  TUS_VERSION_UNSUPPORTED: { code: 'PRECONDITION_FAILED', message: 'Tus-Resumable must be 1.0.0.' },
} as const satisfies Record<string, Reason>;

/** A reason: the argument of `AppError`. */
export type ErrorReason = keyof typeof reasonTable;

/** The table of reasons, without a prototype: a name from the wire never finds a property of `Object.prototype`. */
export const errorReasons: Readonly<Record<ErrorReason, Reason>> = Object.freeze(
  Object.assign(Object.create(null) as Record<ErrorReason, Reason>, reasonTable),
);

/** Whether a string from the wire names a reason of this release. */
export function isErrorReason(text: string): text is ErrorReason {
  return text in errorReasons;
}

/** Reasons that every operation may return without declaring them. */
export const commonReasons: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  'VALIDATION_ERROR',
  'MALFORMED_JSON',
  'CURSOR_INVALID',
  'AUTHENTICATION_ERROR',
  'VERIFIED_REQUEST_REFUSED',
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
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_SPENT',
  'INTERNAL_ERROR',
]);

/** `error.details` of a reply. They never contain a secret or an internal message. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The only error whose message callers see. It crosses NATS as its reason and details. `cause` is logged and never leaves
 * the process.
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

  /** The public code. */
  get code(): ErrorCode {
    return errorReasons[this.reason].code;
  }

  /** The HTTP status. */
  get status(): number {
    return errorStatus[this.code];
  }
}

/** A problem of one field. The message never contains the value. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

/** The 400 VALIDATION_ERROR for these fields. */
export function validationError(...fields: FieldProblem[]): AppError {
  return new AppError('VALIDATION_ERROR', { fields });
}

/** A reason whose status is 429. */
export type LimitReason = {
  [R in ErrorReason]: (typeof reasonTable)[R]['code'] extends 'RATE_LIMIT_EXCEEDED' ? R : never;
}[ErrorReason];

/** The `details` of every 429, whatever limit was reached (ENV-44). */
export type LimitDetails = {
  readonly limit: number;
  /** What was used when the request was refused, `limit` at most; in the same unit. */
  readonly used: number;
  /** When a retry may succeed, in epoch seconds; `Retry-After` follows from it. */
  readonly resets_at: number;
};

/** A 429. Every limit is refused by this class, so that the details have one shape (ENV-44). */
export class LimitReached extends AppError {
  constructor(reason: LimitReason, details: LimitDetails, options?: { cause?: unknown }) {
    super(reason, details, options);
  }
}

/** `resets_at` of a limit that other requests may leave at any moment: the next second. */
export function nextSecond(): number {
  return Math.floor(Date.now() / 1_000) + 1;
}

/**
 * 429 BUSY (ENV-44): a lock, queue or connection pool is so contended that the request would miss its deadline. It changed
 * nothing. `limit`: how many requests may wait or run at once.
 */
export class Busy extends LimitReached {
  constructor(limit: number, options?: { cause?: unknown }) {
    super('BUSY', { limit, used: limit, resets_at: nextSecond() }, options);
  }
}
