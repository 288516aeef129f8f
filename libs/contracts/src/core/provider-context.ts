import type { CallContext } from './context.js';
import type { Provider } from './provider.js';

/** The integrations, whose requests are about an installation. */
type App = Exclude<Provider, 'panel' | 'stripe'>;

/** An installation of an integration that is active. */
export interface AppInstallation {
  readonly accountId: string;
  readonly appId: App;
  /** Increases with every installation: whatever an earlier one issued is not valid. */
  readonly generation: number;
  readonly settings: Record<string, unknown>;
  /** The workspace, portal or org; null before it is connected, unless the caller has claimed one. */
  readonly remoteId: string | null;
  /** What the provider tells of it, nothing secret; null: not connected to the provider. */
  readonly remote: { readonly name: string; readonly [fact: string]: unknown } | null;
  readonly vaultId: string | null;
  /** Epoch seconds. */
  readonly installedAt: number;
  /** Whether its installer has left and nobody has taken over: it does nothing. */
  readonly isSuspended: boolean;
  /** Who installed it: calls of the integration to other services are theirs (APP-25). */
  readonly installedBy: { readonly userId: string | null; readonly credentialId: string };
}

/** An installation with the sealed tokens of its provider. */
export interface ConnectedApp extends AppInstallation {
  readonly tokens: { readonly data_key_id: string; readonly sealed: Buffer };
}

/** An installation of a CRM, which keeps its files in a vault. */
export interface CrmInstallation extends AppInstallation {
  readonly vaultId: string;
}

/** A verified request of the chat platform. Parameters that identify came once, in the body. */
export interface ChatContext extends CallContext {
  /** The fields of the form, or the JSON object. */
  readonly content: Readonly<Record<string, unknown>>;
  /** The workspace with the installation; empty for `url_verification`, which is about none. */
  readonly teamId: string;
  /** undefined: the workspace is not connected. */
  readonly installation: ConnectedApp | undefined;
}

/** A verified request of a person of a CRM whose portal or org is connected. */
export interface CrmContext extends CallContext {
  readonly installation: CrmInstallation;
  /** The person, as the CRM has signed it. */
  readonly userId: string;
}

/** A verified request of an open panel, or of the ticket that opens one. Its row names record and person, no request does. */
export interface PanelContext extends CrmContext {
  readonly record: { readonly object_type: string; readonly record_id: string };
  /** The ticket or token of the request. */
  readonly bearer: string;
}

/** Verified events of a CRM, each for the first time and about a connected portal or org. Others are left out. */
export interface CrmEventsContext extends CallContext {
  readonly events: readonly CrmEvent[];
}

/** One of them. */
export interface CrmEvent {
  /** `app.deauthorize`, `app.uninstall` … */
  readonly type: string;
  readonly installation: ConnectedApp;
  /** The person whose session sent it, for crmb. */
  readonly userId?: string;
  /** Whether the session says that this person is an admin of the org, for crmb. */
  readonly isAdmin?: boolean;
}

/** A verified event of Stripe. */
export interface StripeContext extends CallContext {
  readonly event: {
    readonly id: string;
    readonly type: string;
    /** Epoch seconds. */
    readonly created: number;
    readonly data: { readonly object: object };
  };
}

/** What the guard of a provider hands the handler of an operation with this access. */
export type ProviderContextOf<A extends { readonly provider: Provider }> = A extends {
  readonly webhook: true;
}
  ? CrmEventsContext
  : {
      readonly chatapp: ChatContext;
      readonly crma: CrmContext;
      readonly crmb: CrmContext;
      readonly panel: PanelContext;
      readonly stripe: StripeContext;
    }[A['provider']];
