import { specificMessage, type SizeLimitOf } from './error-message.js';

/**
 * The error table of the platform. Clients handle a **code**, which determines the HTTP status. Services throw a
 * **reason**, which determines the code and the public message, and which `details.reason` repeats. Situations that callers
 * must not be able to tell apart, such as an unknown id and an id of another account, share one reason.
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
  /** Advice for the caller on `/docs/errors`, where the message gives none. */
  readonly help?: string;
  /** The reason in whose place callers see this one: the platform tells the two apart, callers must not. */
  readonly shownAs?: string;
}

const reasonTable = {
  // Every operation may return these; contracts do not repeat them.
  VALIDATION_ERROR: {
    code: 'VALIDATION_ERROR',
    message: 'The request is not valid.',
    help: 'details.fields lists every invalid field or header with its rule. Correct them and send the request again.',
  },
  // Ignored like other unknown names, it would leave a field at its default, such as a Spark public (AMB-51).
  FIELD_MISSPELLED: {
    code: 'VALIDATION_ERROR',
    message: 'A name is near that of a known field or query parameter.',
    help: 'details.fields lists each such name and the one that was probably meant. Correct it, or leave it out.',
  },
  HTTP_MALFORMED: {
    code: 'VALIDATION_ERROR',
    message: 'The request is not valid HTTP.',
    help: 'Check the request line, the header sizes and the framing of the body; the connection was closed.',
  },
  MALFORMED_JSON: {
    code: 'VALIDATION_ERROR',
    message: 'The body is not valid JSON.',
    help: 'Send one JSON text in UTF-8 without a byte order mark.',
  },
  CURSOR_INVALID: {
    code: 'VALIDATION_ERROR',
    message: 'The cursor is not valid for this list.',
    help: 'Send next_cursor of the last page unchanged, to the same path with the same query and account; or start without a cursor.',
  },
  AUTHENTICATION_ERROR: {
    code: 'AUTHENTICATION_ERROR',
    message: 'Missing or invalid credentials.',
    help: 'The API key, access token, Vault Access Token, istk or signature is unknown, expired, revoked or not for this request; the answer does not say which. Refresh the session, unseal the vault again, or create a new key. For an istk, details.code is ISTK_USED, ISTK_EXPIRED, ISTK_EXHAUSTED or ISTK_INVALID.',
  },
  // A header that is missing, or cannot be a credential by its form. All well-formed credentials that fail share AUTHENTICATION_ERROR.
  CREDENTIALS_MISSING: {
    code: 'AUTHENTICATION_ERROR',
    message: 'Send X-API-Key, or Authorization: Bearer with an access token.',
    help: 'POST /v1/api-keys creates a key; a sign-in returns an access token.',
  },
  BEARER_MISSING: {
    code: 'AUTHENTICATION_ERROR',
    message: 'Send Authorization: Bearer with the access token of a session.',
    help: 'This operation is for people: sign in, or renew the session with POST /v1/auth/refresh. API keys are not accepted.',
  },
  API_KEY_MALFORMED: {
    code: 'AUTHENTICATION_ERROR',
    message: 'X-API-Key is malformed: a key is vk_live_ and 49 letters and digits.',
    help: 'Check that the whole key was copied, without blanks or quotes. X-API-Key has precedence over Authorization.',
  },
  API_KEY_MISSING: {
    code: 'AUTHENTICATION_ERROR',
    message: 'X-API-Key is empty: its API key is missing.',
    help: 'Check the variable that holds the key. X-API-Key has precedence over Authorization; without a key, leave it out.',
  },
  API_KEY_AS_BEARER: {
    code: 'AUTHENTICATION_ERROR',
    message: 'Send the API key in X-API-Key. Authorization: Bearer is for access tokens.',
    help: 'Put the key into the header X-API-Key unchanged, without Bearer.',
  },
  BEARER_MALFORMED: {
    code: 'AUTHENTICATION_ERROR',
    message: "Authorization must be 'Bearer' and an access token.",
    help: 'Send the access_token of a session unchanged, without quotes. API keys go into X-API-Key.',
  },
  VAT_MISSING: {
    code: 'AUTHENTICATION_ERROR',
    message: 'Send X-Vault-Access-Token with a token of POST /v1/vaults/{vault_id}/unseal.',
    help: 'The vat of the reply opens this vault until it expires or the vault is sealed.',
  },
  VAT_MALFORMED: {
    code: 'AUTHENTICATION_ERROR',
    message: 'X-Vault-Access-Token is malformed: a token is vat_ and 49 letters and digits.',
    help: 'Send the vat of the unseal reply unchanged. A vault key (vmk_, dvak_) is no Vault Access Token.',
  },
  // Of a request whose sender is verified, such as a CRM's: it must not count on the address, which many accounts share (OPEN-10).
  VERIFIED_REQUEST_REFUSED: {
    code: 'AUTHENTICATION_ERROR',
    message: 'Missing or invalid credentials.',
    shownAs: 'AUTHENTICATION_ERROR',
  },
  PLAN_REQUIRED: {
    code: 'PLAN_REQUIRED',
    message: 'An active subscription is required.',
    help: 'Start or renew the subscription with POST /v1/billing/subscription.',
  },
  QUOTA_EXCEEDED: {
    code: 'QUOTA_EXCEEDED',
    message: 'A usage pool of this account is exhausted.',
    help: 'details.resource names the pool, details.action_required what to buy. Deleting data frees storage; bandwidth returns with the next cycle.',
  },
  HTTPS_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'HTTPS required.',
    help: 'Send the request over TLS. Behind a proxy, its address must be in TRUSTED_PROXIES and it must set X-Forwarded-Proto.',
  },
  HOST_REFUSED: {
    code: 'FORBIDDEN',
    message:
      'The local profile accepts requests to localhost, loopback addresses and its configured origins.',
    help: 'Use localhost or a loopback address in the URL.',
  },
  ORIGIN_UNLISTED: {
    code: 'FORBIDDEN',
    message: 'Pages of this origin may not call the local profile. CORS_ORIGINS lists those that may.',
    help: 'Add the origin of the page to CORS_ORIGINS.',
  },
  ROLE_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'This operation needs the admin or owner role.',
    help: 'Ask an admin or owner of the organization to do it, or to change your role.',
  },
  OWNER_SESSION_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'Only an owner who has signed in may make, change or remove an owner.',
    help: 'Ask an owner of the organization to do it with a session. Admins and API keys may invite, change and remove everybody else.',
  },
  BILLING_OF_OPERATOR: {
    code: 'FORBIDDEN',
    message: 'The operator of this installation sets plans, seats and invoices.',
    help: 'Ask the operator. Previews, lists and payment methods stay open to you.',
  },
  FULL_SEAT_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'This operation needs a full seat: the viewer seat may not do it.',
    help: 'Ask somebody with a full seat, or an admin of the organization for one.',
  },
  SESSION_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'This operation needs a full user session.',
    help: 'Sign in as a person and send the access token; API keys are not accepted here.',
  },
  IDENTITY_SESSION_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'This operation needs an identity-only session.',
    help: 'It serves sign-ups and invitations only: use the access token of a sign-in that has no account yet.',
  },
  REGISTRATION_REQUIRED: {
    code: 'FORBIDDEN',
    message: 'Accept an invitation or complete the sign-up before using account routes.',
    help: 'POST /v1/auth/complete-signup or POST /v1/invitations/{invitation_id}/accept returns a full session.',
  },
  NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'The requested resource does not exist.',
    help: 'Check the path: case counts, and there is no trailing slash. A malformed id, an unknown one and one of another account answer alike.',
  },
  METHOD_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'This path does not have this method.',
    help: 'The Allow header and details.methods list the methods of the path.',
  },
  PAYLOAD_TOO_LARGE: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The body exceeds a size limit.',
    help: 'details.limit_bytes is the limit, details.limit_of what it is for. Split the request, or upload a file.',
  },
  RATE_LIMIT_EXCEEDED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many operations in this minute.',
    help: 'Wait for the seconds of Retry-After. Spread calls over the minute; the RateLimit header says what is left.',
  },
  LIMITER_UNAVAILABLE: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'The rate limiter cannot be reached, so the request was not counted. Try again in one second.',
    help: 'No limit was reached and nothing was changed. Repeat the request after Retry-After.',
  },
  BUSY: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many concurrent requests for the same resource. Try again in one second.',
    help: 'Nothing was changed. Repeat the request after Retry-After.',
  },
  BODY_BUDGET_EXHAUSTED: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many bytes of request bodies are in flight. Try again in one second.',
    help: 'Nothing was changed. Send large bodies one after another.',
  },
  INTERNAL_ERROR: {
    code: 'INTERNAL_ERROR',
    message: 'An unexpected error occurred.',
    help: 'Repeat reads. Before you repeat a write, read whether it took effect. Report meta.request_id if the error stays.',
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
    help: 'The details name what it created. Read, delete or replace that; for another one, use a new key.',
  },

  // Sign-in and sessions
  IDENTITY_REFUSED: {
    code: 'UNAUTHORIZED',
    message: 'The identity provider did not confirm this sign-in.',
    help: 'Start the sign-in again at the identity provider: codes can be used once and expire soon.',
  },
  EMAIL_NOT_VERIFIED: {
    code: 'UNAUTHORIZED',
    message: 'The identity provider has not verified the e-mail address of this sign-in.',
    help: 'Verify the address at the identity provider, then sign in again.',
  },
  REFRESH_TOKEN_INVALID: {
    code: 'UNAUTHORIZED',
    message: 'The refresh token is not valid. Sign in again.',
    help: 'The token is unknown or expired, or its session has ended.',
  },
  TOKEN_REPLAY: {
    code: 'TOKEN_REPLAY',
    message: 'This refresh token was used before. The session has been ended; sign in again.',
    help: 'Store the refresh token of each reply before you use it, and never refresh one session twice at once.',
  },
  ORIGIN_REFUSED: {
    code: 'FORBIDDEN',
    message: 'Pages of this origin may not use browser sessions.',
    help: 'Add the origin of the page to CORS_ORIGINS, or keep the refresh token in a client that is no browser.',
  },
  ACCOUNT_SUSPENDED: {
    code: 'FORBIDDEN',
    message: 'This organization is suspended.',
    help: 'Only the operator of this platform can lift the suspension.',
  },
  SIGNUP_COMPLETED: {
    code: 'CONFLICT',
    message: 'This identity already belongs to an organization. Sign in again.',
  },
  DOMAIN_CLAIMED: {
    code: 'FORBIDDEN',
    message: 'Another organization has claimed this e-mail domain.',
    help: 'Ask that organization for an invitation, or use an address of another domain.',
  },

  // People
  INVITATION_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Invitation not found.',
    help: 'It is unknown, for another address, answered, withdrawn or older than 14 days. Ask for a new one.',
  },
  INVITATION_NOT_OPEN: {
    code: 'CONFLICT',
    message: 'This person has no open invitation.',
    help: 'The person has accepted it, or is the owner of a first account, who joins by signing in.',
  },
  USER_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'User not found.',
    help: 'GET /v1/users lists the users of the account.',
  },
  SESSION_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Session not found.',
    help: 'GET /v1/me/sessions lists your live sessions.',
  },
  EMAIL_TAKEN: {
    code: 'CONFLICT',
    message: 'This e-mail address already belongs to an organization.',
    help: 'A person belongs to one organization. Use another address, or have the person removed there first.',
  },
  INVITATIONS_EXHAUSTED: {
    code: 'CONFLICT',
    message: 'This account has sent too many invitations, or one too often, within an hour. Try again later.',
  },
  SEATS_EXHAUSTED: {
    code: 'CONFLICT',
    message: 'All seats of this account are in use.',
    help: 'Buy seats with POST /v1/billing/seats/bulk, or remove a user.',
  },
  LAST_OWNER: {
    code: 'CONFLICT',
    message: 'An organization needs an owner. Make another user an owner first.',
  },

  // Claimed domains
  DOMAIN_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Domain not found.',
    help: 'GET /v1/domains lists the claimed domains of the account.',
  },
  DOMAIN_OWNED: {
    code: 'CONFLICT',
    message: 'This organization has already claimed this domain.',
    help: 'Nothing is left to do.',
  },

  // Integrations
  APP_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'There is no integration with this id.',
    help: 'GET /v1/apps lists the integrations.',
  },
  APP_NOT_INSTALLED: {
    code: 'NOT_FOUND',
    message: 'This integration is not installed.',
    help: 'Install it first.',
  },
  APP_INSTALLED: {
    code: 'CONFLICT',
    message: 'This integration is installed already.',
    help: 'Change its settings with PUT /v1/apps/{app_id}, or uninstall it first.',
  },
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
    help: 'A workspace that another account has only claimed, without a grant, is yours once you connect it by OAuth.',
  },
  APP_STATE_REFUSED: {
    code: 'VALIDATION_ERROR',
    message:
      'The state is not of this session, was used before, or is older than ten minutes. Start the installation again.',
    help: 'POST /v1/apps/{app_id}/oauth/start gives a state. Do not go on with a code that you did not ask for.',
  },
  APP_SUSPENDED: {
    code: 'FORBIDDEN',
    message:
      'This integration is suspended: the person who installed it has left the account, and no owner could take over.',
    help: 'An admin takes it over with PUT /v1/apps/{app_id}, or by connecting it again.',
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
  API_KEY_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'API key not found.',
    help: 'GET /v1/api-keys lists the keys of the account. Use the id, not the key.',
  },

  // Sparks
  SPARK_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Spark not found.',
    help: 'The id is unknown, of another account or mistyped. GET /v1/sparks lists the Sparks of the account.',
  },
  SPARK_BURNED: {
    code: 'FORBIDDEN',
    message: 'This Spark has been burned.',
    help: 'A Spark is read once, and its content is destroyed. Ask its sender for a new one.',
  },
  SPARK_EXPIRED: {
    code: 'FORBIDDEN',
    message: 'This Spark has expired.',
    help: 'Its content was destroyed at expires_at. Create a new Spark.',
  },
  SPARK_READ_IN_FLIGHT: {
    code: 'CONFLICT',
    message: 'This Spark is being read by another caller.',
    help: 'Repeat the request in a few seconds. If the other read succeeds, the Spark is burned.',
  },
  KINDLING_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Kindling group not found.',
    help: 'Use the kindling_id of a Spark of this account whose group has not expired.',
  },

  // SparkLinks. Owners see the first message, whose wording LNK-07 prescribes; visitors see the others.
  SPARKLINK_NOT_FOUND: {
    code: 'VALIDATION_ERROR',
    message: 'SparkLink not found',
    help: 'GET /v1/sparklinks lists the links of the account.',
  },
  LINK_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'This link leads nowhere. Check that it is complete.',
    help: 'Ask the sender for a new link if this one is complete.',
  },
  LINK_CONSUMED: {
    code: 'FORBIDDEN',
    message: 'This link has already been opened. It opens only once.',
    help: 'If you have not opened it, tell the sender. Only a new link opens the content.',
  },
  LINK_REVOKED: {
    code: 'FORBIDDEN',
    message: 'The creator of this link has revoked it.',
    help: 'Ask the sender for a new link.',
  },
  LINK_EXPIRED: {
    code: 'FORBIDDEN',
    message: 'This link has expired.',
    help: 'Ask the sender for a new link.',
  },
  LINK_SUSPENDED: {
    code: 'FORBIDDEN',
    message: 'Sharing is currently off for the files of this vault.',
    help: 'An admin of the organization can turn it on again; the link then works.',
  },
  LINK_ADDRESS_REFUSED: {
    code: 'FORBIDDEN',
    message: 'This link opens from one network address only, which is not yours.',
    help: 'Open it from the network for which it was made, or ask for a link without an address.',
  },
  LINK_BEING_OPENED: {
    code: 'CONFLICT',
    message: 'Another visitor is opening this link at this moment.',
    help: 'Repeat the request in a few seconds.',
  },
  LINK_ORIGIN_REFUSED: {
    code: 'FORBIDDEN',
    message: 'Pages of other origins cannot open links.',
    help: 'Open the link itself in a browser; other pages cannot send its requests.',
  },
  LINK_VERIFICATION_REQUIRED: {
    code: 'AUTHENTICATION_ERROR',
    message: 'This link is for certain people. Verify your identity to open it.',
    help: 'details.verification lists the methods. Request a code with POST /{link_code}/verify/start.',
  },
  LINK_CODE_WRONG: {
    code: 'UNAUTHORIZED',
    message: 'This code is wrong, used or expired.',
    help: 'Enter the newest code, or request another one.',
  },
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
    help: 'Repeat the request when the other recipient has verified.',
  },
  LINK_VERIFICATION_STALE: {
    code: 'AUTHENTICATION_ERROR',
    message: 'The sender asks for a more recent verification. Verify your identity again.',
    help: 'details.verification lists the methods.',
  },
  PASSKEY_REFUSED: {
    code: 'UNAUTHORIZED',
    message: 'This passkey was not accepted. Try again.',
    help: 'Use a passkey that was enrolled for this identity, or verify by a code.',
  },
  PASSKEYS_UNAVAILABLE: {
    code: 'CONFLICT',
    message: 'Passkeys need a host name, and links of this installation have an IP address.',
    help: 'Verify by a code, or configure origins with host names.',
  },
  INTERACTION_TOKEN_INVALID: {
    code: 'UNAUTHORIZED',
    message: 'This page can no longer send an answer: its token is wrong or older than 24 hours.',
    help: 'The answer can no longer be given through this opening. Ask the sender for a new link.',
  },
  INTERACTION_REFUSED: {
    code: 'FORBIDDEN',
    message: 'The sender does not ask for this action.',
    help: 'Send one of the actions that the opening of the link listed.',
  },
  ACTION_HASH_MISMATCH: {
    code: 'VALIDATION_ERROR',
    message: 'The action_hash is not that of the content that was opened.',
    help: 'Send the action_hash of the content that the opening returned, unchanged.',
  },
  INGOT_REPLACED: {
    code: 'CONFLICT',
    message: 'The file was replaced or deleted after it was opened.',
    help: 'A signature is bound to the version that was opened. Have the sender send the current one.',
  },
  INTERACTION_DECIDED: {
    code: 'CONFLICT',
    message: 'The recipient has already decided differently.',
    help: 'Approving and denying exclude each other, and the first decision stands.',
  },
  INVITE_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Invite not found.',
    help: 'Read the share again: it lists the invites. A link of a Spark that was withdrawn or has expired has none.',
  },
  INVITES_EXHAUSTED: {
    code: 'CONFLICT',
    message: 'The limit of invites of this share is reached.',
    help: 'Revoke an invite first.',
  },
  INVITE_TAKEN: {
    code: 'CONFLICT',
    message: 'This identity is already invited.',
    help: 'Send the existing invitation again instead.',
  },
  SHARING_DISABLED: {
    code: 'FORBIDDEN',
    message:
      'Public file sharing is off for this vault. An admin can turn it on with PUT /v1/vaults/{vault_id}.',
  },
  INGOT_NOT_SHARED: { code: 'CONFLICT', message: 'This ingot is not shared. Share it first.' },

  // Notifications
  SEND_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Send not found.',
    help: 'Use the send_id of a send of this account.',
  },
  SEND_IN_PROGRESS: {
    code: 'CONFLICT',
    message: 'A send with this send_id is being accepted at this moment. Repeat the request.',
  },
  DELIVERY_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Delivery not found.',
    help: 'GET /v1/products/notify/sends/{send_id} lists the deliveries of a send.',
  },
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
  PUSH_TOKEN_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Push token not found.',
    help: 'GET /v1/push-tokens lists the push tokens.',
  },
  SUPPRESSION_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Suppression not found.',
    help: 'GET /v1/products/notify/suppressions lists the suppressed addresses.',
  },
  UNSUBSCRIBE_LINK_INVALID: {
    code: 'VALIDATION_ERROR',
    message: 'This unsubscribe link is not valid. Check that it is complete.',
  },

  // Vaults
  VAULT_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Vault not found.',
    help: 'The id is unknown, of another account or mistyped. GET /v1/vaults lists the vaults of the account.',
  },
  VAULT_NAME_TAKEN: {
    code: 'CONFLICT',
    message: 'Another vault of this account has this name.',
    help: 'Choose another name, or use that vault.',
  },
  VAULT_KEY_WRONG: {
    code: 'PRECONDITION_FAILED',
    message: 'This key does not open this vault.',
    help: 'Check the vault id and the key. A lost master key cannot be recovered; a delegated key of this vault opens it too.',
  },
  DVAK_INVALID: {
    code: 'UNAUTHORIZED',
    message: 'The delegated key is not valid.',
    help: 'It is unknown or revoked. Create another one with POST /v1/vaults/{vault_id}/dvaks.',
  },
  DVAK_OF_ANOTHER_USER: {
    code: 'FORBIDDEN',
    message: 'This delegated key is for another user.',
    help: 'A key for a user opens the vault in a session of that user only.',
  },
  DVAK_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'No delegated key of this vault ends with these characters.',
    help: 'GET /v1/vaults/{vault_id}/dvaks lists the keys with their last four characters.',
  },
  DVAK_REVOKED: { code: 'VALIDATION_ERROR', message: 'This delegated key is already revoked.' },
  VAT_EXPIRED: {
    code: 'FORBIDDEN',
    message: 'The Vault Access Token has expired.',
    help: 'Unseal the vault again.',
  },
  VAT_OUT_OF_SCOPE: {
    code: 'FORBIDDEN',
    message: 'The Vault Access Token is not for this vault and this caller.',
    help: 'Unseal this vault with the credential that sends the request.',
  },
  VAT_READ_ONLY: {
    code: 'FORBIDDEN',
    message: 'The Vault Access Token may read only.',
    help: 'Unseal the vault with a key that may write.',
  },

  // Folders
  FOLDER_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Folder not found.',
    help: 'GET /v1/vaults/{vault_id}/folders lists the folders of a vault.',
  },
  FOLDER_NAME_TAKEN: {
    code: 'CONFLICT',
    message: 'Another folder in the same parent has this name.',
    help: 'Choose another name, or use that folder.',
  },
  FOLDER_CYCLE: {
    code: 'CONFLICT',
    message: 'A folder cannot be moved into itself or into one of its subfolders.',
  },
  FOLDER_NOT_EMPTY: {
    code: 'CONFLICT',
    message: 'This folder is not empty.',
    help: 'Move or delete its ingots and folders first.',
  },

  // Ingots
  INGOT_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Ingot not found.',
    help: 'GET /v1/vaults/{vault_id}/ingots lists the ingots of a vault.',
  },
  INGOT_NAME_TAKEN: {
    code: 'CONFLICT',
    message: 'Another ingot in this folder has this name.',
    help: 'Choose another name or folder.',
  },
  INGOT_NAME_AMBIGUOUS: {
    code: 'CONFLICT',
    message: 'Several folders contain an ingot with this name. Use its id.',
    help: 'details.candidates lists the ids with their folders.',
  },
  INGOT_MANAGED: { code: 'FORBIDDEN', message: 'This ingot is managed by a product. Use its endpoints.' },
  INGOT_CHANGED: {
    code: 'PRECONDITION_FAILED',
    message: 'This ingot has changed since expected_updated_at.',
    help: 'Read it again, and repeat the request with its updated_at if the change still applies.',
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
  INGOT_NOT_READY: {
    code: 'CONFLICT',
    message: 'This ingot has no content yet.',
    help: 'Repeat the request when the upload has ended.',
  },
  UPLOAD_SOURCE_DISABLED: {
    code: 'UPLOAD_SOURCE_DISABLED',
    message: 'Uploads through this source are not enabled for this vault.',
    help: 'Upload with POST /v1/vaults/{vault_id}/ingots instead.',
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
    help: 'details names the resource with what is used and what would be allowed. Delete data or remove users first.',
  },
  SUBSCRIPTION_INACTIVE: {
    code: 'CONFLICT',
    message: 'The subscription is not active. Start one with POST /v1/billing/subscription.',
  },
  SUBSCRIPTION_OF_STORE: {
    code: 'CONFLICT',
    message: 'An app store bills this subscription. Change or cancel it there.',
  },
  INVOICE_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Invoice not found.',
    help: 'GET /v1/billing/invoices lists the invoices of the account.',
  },
  INVOICE_NOT_OPEN: {
    code: 'CONFLICT',
    message: 'This invoice cannot be charged: it is void, or a checkout pays it.',
  },
  PAYMENT_DECLINED: {
    code: 'CONFLICT',
    message: 'The payment was declined. Use another payment method.',
    help: 'details.decline_code is the reason of the payment provider.',
  },
  PAYMENT_PENDING: {
    code: 'CONFLICT',
    message: 'A payment of this invoice is being confirmed. Read the invoice again in a minute.',
  },
  PAYMENT_METHOD_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Payment method not found.',
    help: 'GET /v1/billing/payment-methods lists the payment methods of the account.',
  },
  PAYMENT_METHOD_MISSING: {
    code: 'CONFLICT',
    message: 'The account has no payment method. Add one, or open a checkout.',
    help: 'POST /v1/billing/payment-methods adds one, POST /v1/billing/checkout opens a checkout.',
  },
  PAYMENT_METHOD_REFUSED: {
    code: 'CONFLICT',
    message: 'The payment provider did not accept this payment method.',
    help: 'details.decline_code is the reason of the payment provider. Use another one.',
  },
  PAYMENT_METHODS_EXHAUSTED: {
    code: 'CONFLICT',
    message: 'The account has 20 payment methods. Delete one first.',
  },
  STORE_UNAVAILABLE: {
    code: 'CONFLICT',
    message: 'Purchases in this store are not accepted here.',
    help: 'Subscribe with POST /v1/billing/subscription instead.',
  },
  PURCHASE_REFUSED: {
    code: 'CONFLICT',
    message: 'The store does not confirm a current purchase.',
    help: 'The purchase is expired, refunded, of another app or not a subscription. Restore purchases in the store and send the current one.',
  },
  PURCHASE_CLAIMED: {
    code: 'CONFLICT',
    message: 'Another account has already claimed this purchase.',
    help: 'A purchase pays for one account. Claim it in the account that should have it.',
  },

  // Transfers
  ISTK_MISSING: {
    code: 'AUTHENTICATION_ERROR',
    message: 'Send the istk of this transfer, in X-ISTK or in the query.',
    help: 'The forge_url or download_url of the API contains it. Each transfer has its own.',
  },
  ISTK_MALFORMED: {
    code: 'AUTHENTICATION_ERROR',
    message: 'The istk is malformed: send its 43 characters once, as they were issued.',
    help: 'Use the URL of the API unchanged.',
  },
  UPLOAD_NOT_FOUND: {
    code: 'NOT_FOUND',
    message: 'Upload not found.',
    help: 'The upload is unknown, completed, cancelled or expired. Open a new one through the API.',
  },
  UPLOAD_OFFSET_TAKEN: {
    code: 'CONFLICT',
    message: 'Another request has written at this offset. Read the offset with HEAD and continue from there.',
  },
  TOO_MANY_DOWNLOADS: {
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'Too many downloads are running. Try again when some of them have ended.',
    help: 'Repeat the request after Retry-After; the istk is not consumed.',
  },
  IF_MATCH_FAILED: {
    code: 'PRECONDITION_FAILED',
    message: 'The content of this URL is not the version that If-Match names.',
    help: 'The istk is not consumed. Start over without If-Match and without the bytes of the former version.',
  },
  TUS_VERSION_UNSUPPORTED: {
    code: 'PRECONDITION_FAILED',
    message: 'Tus-Resumable must be 1.0.0.',
    help: 'Send Tus-Resumable: 1.0.0 with every request but OPTIONS.',
  },
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

/** The reason that callers see: `details.reason`, and the anchor of `details.docs`. */
export function publicReason(reason: ErrorReason): ErrorReason {
  return (errorReasons[reason].shownAs ?? reason) as ErrorReason;
}

/** Reasons that every operation may return without declaring them. */
export const commonReasons: ReadonlySet<ErrorReason> = new Set<ErrorReason>([
  'VALIDATION_ERROR',
  'FIELD_MISSPELLED',
  'MALFORMED_JSON',
  'CURSOR_INVALID',
  'AUTHENTICATION_ERROR',
  'CREDENTIALS_MISSING',
  'BEARER_MISSING',
  'API_KEY_MALFORMED',
  'API_KEY_MISSING',
  'API_KEY_AS_BEARER',
  'BEARER_MALFORMED',
  'VAT_MISSING',
  'VAT_MALFORMED',
  'VERIFIED_REQUEST_REFUSED',
  'PLAN_REQUIRED',
  'QUOTA_EXCEEDED',
  'HTTPS_REQUIRED',
  'ROLE_REQUIRED',
  'FULL_SEAT_REQUIRED',
  'SESSION_REQUIRED',
  'IDENTITY_SESSION_REQUIRED',
  'REGISTRATION_REQUIRED',
  'NOT_FOUND',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMIT_EXCEEDED',
  'LIMITER_UNAVAILABLE',
  'BUSY',
  'IDEMPOTENCY_KEY_REUSED',
  'IDEMPOTENCY_KEY_IN_USE',
  'IDEMPOTENCY_KEY_SPENT',
  'INTERNAL_ERROR',
]);

/**
 * `error.details` of a reply. They never contain a secret or an internal message. `reason` and `docs` are reserved: the envelope
 * adds them to every error.
 */
export type ErrorDetails = Readonly<Record<string, unknown>> & {
  readonly reason?: never;
  readonly docs?: never;
};

/**
 * The only error whose message callers see. It crosses NATS as its reason and details, from which its message follows. `cause`
 * is logged and never leaves the process.
 */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly reason: ErrorReason,
    readonly details?: ErrorDetails,
    options?: { cause?: unknown },
  ) {
    super(specificMessage(reason, details) ?? errorReasons[reason].message, options);
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

/** The 413 PAYLOAD_TOO_LARGE with the limit that was exceeded (ENV-29). */
export function payloadTooLarge(limitOf: SizeLimitOf, bytesMax: number, ...fields: FieldProblem[]): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', {
    limit_of: limitOf,
    limit_bytes: bytesMax,
    ...(fields.length > 0 && { fields }),
  });
}

/** A reason whose status is 429, because a limit was reached. */
export type LimitReason = Exclude<
  {
    [R in ErrorReason]: (typeof reasonTable)[R]['code'] extends 'RATE_LIMIT_EXCEEDED' ? R : never;
  }[ErrorReason],
  'LIMITER_UNAVAILABLE'
>;

/** The `details` of every 429 whose limit was reached, whatever it is (ENV-44). */
export type LimitDetails = {
  readonly limit: number;
  /** What was used when the request was refused, `limit` at most; in the same unit. */
  readonly used: number;
  /** When a retry may succeed, in epoch seconds; `Retry-After` follows from it. */
  readonly resets_at: number;
};

/** The 429 of a limit that was reached. Every limit refuses by this class, so that the details have one shape (ENV-44). */
export class LimitReached extends AppError {
  constructor(reason: LimitReason, details: LimitDetails, options?: { cause?: unknown }) {
    super(reason, details, options);
  }
}

/** The 429 of a request that the limiter cannot count, because Redis is unavailable. It has no figures (AMB-02, ENV-44). */
export class LimiterUnavailable extends AppError {
  constructor(options?: { cause?: unknown }) {
    super('LIMITER_UNAVAILABLE', undefined, options);
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
