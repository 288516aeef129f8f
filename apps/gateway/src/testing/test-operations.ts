import {
  Cursor,
  Flag,
  IdOf,
  Int,
  ListOf,
  Nested,
  OneOf,
  operation,
  Text,
  EpochSeconds,
} from '@vaultsvc/contracts';
import {
  NewStructured,
  STRUCTURED_BODY_BYTES_MAX,
  STRUCTURED_STRUCTURAL_CHARACTERS_MAX,
  StructuredQuery,
} from '@vaultsvc/contracts/vaults';

/** Operations of a fake service: one of each kind that the gateway treats differently. */
class WidgetParams {
  @IdOf('spk') widget_id: string;
}
class VaultParams {
  @IdOf('vlt') vault_id: string;
}
class NewWidget {
  @Text({ max: 1_000_000 }) text: string;
  @Int({ min: 1, max: 10, optional: true }) size = 7;
}
class WidgetSource {
  @IdOf('vlt') vault_id: string;
}
class WidgetFromVault extends NewWidget {
  @Nested(() => WidgetSource, { optional: true }) source?: WidgetSource;
}
class Widget {
  @Text({ max: 1_000_000 }) text: string;
  @Int() size: number;
  @Text({ max: 100, nullable: true }) account_id: string | null;
  @Text({ max: 100 }) caller: string;
  @EpochSeconds() created_at: number;
}
class Query {
  @OneOf(['red', 'blue'], { optional: true }) colour?: 'red' | 'blue';
  @Int({ min: 1, max: 100, optional: true }) limit = 2;
  @Cursor() cursor?: string;
}
class NewSession {
  @Text({ max: 100 }) text: string;
}
class WidgetRefreshToken {
  @Text({ min: 1, max: 1_024, optional: true }) refresh_token?: string;
}
class Session {
  @Text({ max: 100 }) access_token: string;
  @Text({ max: 1_024, optional: true }) refresh_token?: string;
}
class LinkParams {
  @Text({ max: 512, raw: true }) link_code: string;
}
class LinkOpening {
  @Text({ max: 100, optional: true }) text?: string;
}
class Item {
  @Int() number: number;
}
class Page {
  @ListOf(() => Item) items: Item[];
  @Text({ max: 10, optional: true }) colour?: string;
  @Int() count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}
/** A list with the older name of the cursor. */
class OlderPage {
  @ListOf(() => Item) items: Item[];
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
  @Text({ max: 2_048, nullable: true, olderNameOf: 'next_cursor' }) cursor: string | null;
}

export const createWidget = operation({
  name: 'widgets.create',
  summary: 'Creates a widget.',
  http: { method: 'POST', path: '/v1/widgets', status: 201 },
  access: { credential: 'key' },
  body: NewWidget,
  reply: Widget,
  billable: true,
  errors: ['SPARK_READ_IN_FLIGHT', 'SPARK_BURNED', 'KINDLING_NOT_FOUND'],
});
export const readWidget = operation({
  name: 'widgets.read',
  summary: 'Reads a widget.',
  http: { method: 'GET', path: '/v1/widgets/{widget_id}', status: 200 },
  access: { credential: 'key' },
  params: WidgetParams,
  unknown: 'SPARK_NOT_FOUND',
  reply: Widget,
  errors: ['SPARK_NOT_FOUND'],
});
export const listWidgets = operation({
  name: 'widgets.list',
  summary: 'Lists widgets.',
  http: { method: 'GET', path: '/v1/widgets', status: 200 },
  access: { credential: 'key' },
  query: Query,
  reply: Page,
  cursor: 'next_cursor',
});
export const listOthers = operation({
  name: 'widgets.list-others',
  summary: 'Lists widgets at another path.',
  http: { method: 'GET', path: '/v1/others', status: 200 },
  access: { credential: 'key' },
  query: Query,
  reply: OlderPage,
  cursor: 'cursor',
});
export const deleteWidget = operation({
  name: 'widgets.delete',
  summary: 'Deletes a widget.',
  http: { method: 'DELETE', path: '/v1/widgets/{widget_id}', status: 204 },
  access: { credential: 'key' },
  params: WidgetParams,
  unknown: 'no-content',
});
export const administerWidget = operation({
  name: 'widgets.administer',
  summary: 'For admins.',
  http: { method: 'POST', path: '/v1/admin-widgets', status: 200 },
  access: { credential: 'key', role: 'admin' },
  body: NewWidget,
  reply: Widget,
});
export const useWidgetInSession = operation({
  name: 'widgets.session',
  summary: 'For sessions.',
  http: { method: 'POST', path: '/v1/session-widgets', status: 200 },
  access: { credential: 'session', role: 'admin' },
  reply: Widget,
});
export const useWidgetInSignUp = operation({
  name: 'widgets.sign-up',
  summary: 'For identities.',
  http: { method: 'POST', path: '/v1/sign-up-widgets', status: 200 },
  access: { credential: 'identity-only' },
  reply: Widget,
});
export const useWidgetPublicly = operation({
  name: 'widgets.open',
  summary: 'For anyone.',
  http: { method: 'POST', path: '/v1/open-widgets', status: 200 },
  access: { credential: 'none' },
  body: NewWidget,
  bodyBytesMax: 64 * 1_024,
  reply: Widget,
});
export const useWidgetOfVault = operation({
  name: 'widgets.vault',
  summary: 'Needs a vault.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/widgets', status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: VaultParams,
  body: NewWidget,
  reply: Widget,
});
export const useSecretOfVault = operation({
  name: 'widgets.secret',
  summary: 'Needs a vault and has a small body; a missing VAT is an invalid field.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/secret-widgets', status: 200 },
  access: { credential: 'key', vat: 'read', vatMissing: 'VALIDATION_ERROR' },
  params: VaultParams,
  body: NewWidget,
  bodyBytesMax: 256 * 1_024,
  reply: Widget,
});
export const useVaultOfBody = operation({
  name: 'widgets.vault-of-body',
  summary: 'Needs a vault if its body names one.',
  http: { method: 'POST', path: '/v1/sourced-widgets', status: 200 },
  access: { credential: 'key', role: 'admin', vat: 'write', vatOf: 'source.vault_id' },
  body: WidgetFromVault,
  reply: Widget,
});
/** Like the operations of structured ingots: key names in a query, arbitrary names and values in a body. */
export const readNamedValue = operation({
  name: 'widgets.read-named',
  summary: 'Reads by key names.',
  http: { method: 'GET', path: '/v1/named-widgets', status: 200 },
  access: { credential: 'key' },
  query: StructuredQuery,
  reply: Item,
});
export const storeValues = operation({
  name: 'widgets.keep',
  summary: 'Stores values of any type.',
  http: { method: 'POST', path: '/v1/kept-widgets', status: 200 },
  access: { credential: 'key' },
  bodyBytesMax: STRUCTURED_BODY_BYTES_MAX,
  structuralCharactersMax: STRUCTURED_STRUCTURAL_CHARACTERS_MAX,
  body: NewStructured,
  reply: Item,
});
export const readDocument = operation({
  name: 'widgets.bare',
  summary: 'A document.',
  http: { method: 'GET', path: '/v1/bare-widget', status: 200 },
  access: { credential: 'none' },
  reply: Item,
  bare: true,
  maxAgeSeconds: 120,
});
export const beginSession = operation({
  name: 'widgets.begin-session',
  summary: 'Opens a session.',
  http: { method: 'POST', path: '/v1/widget-sessions', status: 200 },
  access: { credential: 'none' },
  session: 'opens',
  bodyBytesMax: 64 * 1_024,
  body: NewSession,
  reply: Session,
});
export const promoteSession = operation({
  name: 'widgets.promote-session',
  summary: 'Opens a session for an identity.',
  http: { method: 'POST', path: '/v1/widget-sessions/promote', status: 200 },
  access: { credential: 'identity-only' },
  session: 'opens',
  bodyBytesMax: 64 * 1_024,
  body: NewSession,
  reply: Session,
});
export const renewSession = operation({
  name: 'widgets.renew-session',
  summary: 'Renews a session.',
  http: { method: 'POST', path: '/v1/widget-sessions/renew', status: 200 },
  access: { credential: 'none' },
  session: 'renews',
  bodyBytesMax: 64 * 1_024,
  body: WidgetRefreshToken,
  reply: Session,
  errors: ['TOKEN_REPLAY', 'REFRESH_TOKEN_INVALID'],
});
export const endSession = operation({
  name: 'widgets.end-session',
  summary: 'Ends a session.',
  http: { method: 'POST', path: '/v1/widget-sessions/end', status: 204 },
  access: { credential: 'none' },
  session: 'ends',
  bodyBytesMax: 64 * 1_024,
  body: WidgetRefreshToken,
});
export const openWidgetLink = operation({
  name: 'widgets.open-linked',
  summary: 'For visitors of link pages.',
  http: {
    method: 'POST',
    path: '/{link_code}/burn',
    aliases: ['/{link_code}/open'],
    surface: 'links',
    status: 200,
  },
  access: { credential: 'optional' },
  params: LinkParams,
  unknown: 'LINK_NOT_FOUND',
  body: LinkOpening,
  bodyBytesMax: 4_096,
  reply: Widget,
  bare: true,
  errors: ['LINK_NOT_FOUND', 'LINK_CONSUMED', 'LINK_CODES_EXHAUSTED'],
});
class SignedReply {
  @Text({ max: 1_000_000 }) body: string;
  @Text({ max: 2_000 }) signed: string;
}
export const receiveWidgetEvent = operation({
  name: 'widgets.receive-event',
  summary: 'For a provider that signs its requests.',
  http: { method: 'POST', path: '/v1/widget-events', status: 200 },
  access: { provider: 'stripe' },
  bodyBytesMax: 1_000,
  reply: SignedReply,
});
export const unansweredOperation = operation({
  name: 'absent.read',
  summary: 'Belongs to a service that is not running.',
  http: { method: 'POST', path: '/v1/absent-widgets', status: 200 },
  access: { credential: 'key' },
  body: NewWidget,
  reply: Widget,
});

export const testOperations = [
  createWidget,
  readWidget,
  listWidgets,
  listOthers,
  deleteWidget,
  administerWidget,
  useWidgetInSession,
  useWidgetInSignUp,
  useWidgetPublicly,
  useWidgetOfVault,
  useSecretOfVault,
  useVaultOfBody,
  readNamedValue,
  storeValues,
  readDocument,
  beginSession,
  promoteSession,
  renewSession,
  endSession,
  openWidgetLink,
  receiveWidgetEvent,
  unansweredOperation,
];
export type WidgetReply = Widget;
export type WidgetPage = Page;
