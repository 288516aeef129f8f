export { ApiError, ConnectionError, type ApiErrorFields } from './api-error.js';
export { createClient, type Client, type ClientOptions } from './client.js';
export type {
  Answer,
  Call,
  CallOptions,
  CallSettings,
  components,
  DataOf,
  Meta,
  operations,
  paths,
  PathOf,
  Schema,
} from './client-types.js';
export type { IgnoredNames } from './ignored-names.js';
export { RedirectError, sendDirectly } from './redirect-error.js';
export { pages, paginate, type ItemOf, type PagedPath } from './paginate.js';
export type { RetryOptions, RetryWait } from './retry.js';
export { BrowserSession } from './session/browser-session.js';
export type { OpenedSession, SessionCallOptions } from './session/session-calls.js';
export { MemorySessionStore, type SessionStore, type SessionTokens } from './session/session-store.js';
export type { Session } from './session/session.js';
export { TokenSession } from './session/token-session.js';
export { assertNotRedirected } from './transfer/assert-not-redirected.js';
export { download, downloadTicket, type Download, type DownloadOptions } from './transfer/download.js';
export type { DownloadTicket } from './transfer/download-ticket.js';
export type { ChunkMark } from './transfer/content-hash.js';
export {
  MemoryResumeStore,
  WebResumeStore,
  type ResumableUpload,
  type ResumeStore,
  type WebStorage,
} from './transfer/resume-store.js';
export { SourceError } from './transfer/source-error.js';
export { TransferError } from './transfer/transfer-error.js';
export type { TransferProgress } from './transfer/transfer-progress.js';
export { upload } from './transfer/upload.js';
export type { UploadedFile, UploadOptions } from './transfer/upload-options.js';
export type { SourceBytes, Uploadable, UploadSource } from './transfer/upload-source.js';
export { unseal, type UnsealOptions, type VaultAccess } from './transfer/vault-access.js';
export {
  InvalidReceipt,
  UnsupportedPlatform,
  verifyReceipt,
  type KeySet,
  type Receipt,
  type ReceiptOptions,
} from './receipts/verify-receipt.js';
