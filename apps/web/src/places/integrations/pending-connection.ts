import type { AppId } from './use-apps.js';

/** Where this tab keeps the connection that it has started, until the provider leads back. None of it is secret. */
const PENDING = 'vaultsvc-connection';

export interface PendingConnection {
  readonly appId: AppId;
  /** Binds the answer to this session (RFC 6749, 10.12). */
  readonly state: string;
  readonly redirectUri: string;
  /** For the files of a CRM. */
  readonly vaultId: string | undefined;
}

/** The page to which the provider leads back. Each has its own, so that no answer is taken for that of another one (RFC 9700, 4.4). */
export const redirectUriOf = (appId: AppId): string => `${location.origin}/app/integrations/${appId}/return`;

export function keepPending(pending: PendingConnection): void {
  sessionStorage.setItem(PENDING, JSON.stringify(pending));
}

/** The connection that was started, which is removed: an answer is used once. */
export function takePending(): PendingConnection | undefined {
  const text = sessionStorage.getItem(PENDING);
  sessionStorage.removeItem(PENDING);
  return text === null ? undefined : (JSON.parse(text) as PendingConnection);
}
