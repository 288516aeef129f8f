import { Cursor, Flag, IdOf, Int, ListOf, OneOf, operation, Text, EpochSeconds } from '@vaultsvc/contracts';

import { NewStructured, STRUCTURED_BODY_BYTES_MAX, StructuredQuery } from '@vaultsvc/contracts/vaults';

/** Operations of a service that exists in specs only: one of each kind that the gateway treats differently. */
class ThingParams {
  @IdOf('spk') thing_id: string;
}
class VaultParams {
  @IdOf('vlt') vault_id: string;
}
class NewThing {
  @Text({ max: 1_000_000 }) text: string;
  @Int({ min: 1, max: 10, optional: true }) size = 7;
}
class Thing {
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
class Beginning {
  @Text({ max: 100 }) text: string;
}
class Token {
  @Text({ min: 1, max: 1_024, optional: true }) refresh_token?: string;
}
class Session {
  @Text({ max: 100 }) access_token: string;
  @Text({ max: 1_024, optional: true }) refresh_token?: string;
}
class LinkParams {
  @Text({ max: 512, raw: true }) link_code: string;
}
class LinkedThing {
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

export const makeThing = operation({
  name: 'things.make',
  summary: 'Makes a thing.',
  http: { method: 'POST', path: '/v1/things', status: 201 },
  access: { credential: 'key' },
  body: NewThing,
  reply: Thing,
  billable: true,
  errors: ['SPARK_READ_IN_FLIGHT', 'SPARK_BURNED', 'KINDLING_NOT_FOUND'],
});
export const readThing = operation({
  name: 'things.read',
  summary: 'Reads a thing.',
  http: { method: 'GET', path: '/v1/things/{thing_id}', status: 200 },
  access: { credential: 'key' },
  params: ThingParams,
  unknown: 'SPARK_NOT_FOUND',
  reply: Thing,
  errors: ['SPARK_NOT_FOUND'],
});
export const listThings = operation({
  name: 'things.list',
  summary: 'Lists things.',
  http: { method: 'GET', path: '/v1/things', status: 200 },
  access: { credential: 'key' },
  query: Query,
  reply: Page,
  cursor: 'next_cursor',
});
export const listOthers = operation({
  name: 'things.list-others',
  summary: 'Lists other things.',
  http: { method: 'GET', path: '/v1/others', status: 200 },
  access: { credential: 'key' },
  query: Query,
  reply: Page,
  cursor: 'next_cursor',
});
export const dropThing = operation({
  name: 'things.drop',
  summary: 'Drops a thing.',
  http: { method: 'DELETE', path: '/v1/things/{thing_id}', status: 204 },
  access: { credential: 'key' },
  params: ThingParams,
  unknown: 'no-content',
});
export const adminThing = operation({
  name: 'things.administer',
  summary: 'For admins.',
  http: { method: 'POST', path: '/v1/admin-things', status: 200 },
  access: { credential: 'key', role: 'admin' },
  body: NewThing,
  reply: Thing,
});
export const sessionThing = operation({
  name: 'things.session',
  summary: 'For sessions.',
  http: { method: 'POST', path: '/v1/session-things', status: 200 },
  access: { credential: 'session', role: 'admin' },
  reply: Thing,
});
export const signUpThing = operation({
  name: 'things.sign-up',
  summary: 'For identities.',
  http: { method: 'POST', path: '/v1/sign-up-things', status: 200 },
  access: { credential: 'identity-only' },
  reply: Thing,
});
export const openThing = operation({
  name: 'things.open',
  summary: 'For anyone.',
  http: { method: 'POST', path: '/v1/open-things', status: 200 },
  access: { credential: 'none' },
  body: NewThing,
  bodyBytesMax: 64 * 1_024,
  reply: Thing,
});
export const vaultThing = operation({
  name: 'things.vault',
  summary: 'Needs a vault.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/things', status: 200 },
  access: { credential: 'key', vat: 'write' },
  params: VaultParams,
  body: NewThing,
  reply: Thing,
});
export const secretThing = operation({
  name: 'things.secret',
  summary: 'Needs a vault, and says so as of a field.',
  http: { method: 'POST', path: '/v1/vaults/{vault_id}/secret-things', status: 200 },
  access: { credential: 'key', vat: 'read', vatMissing: 'VALIDATION_ERROR' },
  params: VaultParams,
  body: NewThing,
  reply: Thing,
});
/** As structured ingots are asked for and made: names of keys in a query, any names and values in a body. */
export const namedThing = operation({
  name: 'things.read-named',
  summary: 'Reads by names of keys.',
  http: { method: 'GET', path: '/v1/named-things', status: 200 },
  access: { credential: 'key' },
  query: StructuredQuery,
  reply: Item,
});
export const keepThing = operation({
  name: 'things.keep',
  summary: 'Keeps values of any kind.',
  http: { method: 'POST', path: '/v1/kept-things', status: 200 },
  access: { credential: 'key' },
  bodyBytesMax: STRUCTURED_BODY_BYTES_MAX,
  body: NewStructured,
  reply: Item,
});
export const bareThing = operation({
  name: 'things.bare',
  summary: 'A document.',
  http: { method: 'GET', path: '/v1/bare-thing', status: 200 },
  access: { credential: 'none' },
  reply: Item,
  bare: true,
  maxAgeSeconds: 120,
});
export const beginSession = operation({
  name: 'things.begin-session',
  summary: 'Opens a session.',
  http: { method: 'POST', path: '/v1/thing-sessions', status: 200 },
  access: { credential: 'none' },
  session: 'opens',
  bodyBytesMax: 64 * 1_024,
  body: Beginning,
  reply: Session,
});
export const promoteSession = operation({
  name: 'things.promote-session',
  summary: 'Opens a session for an identity.',
  http: { method: 'POST', path: '/v1/thing-sessions/promote', status: 200 },
  access: { credential: 'identity-only' },
  session: 'opens',
  bodyBytesMax: 64 * 1_024,
  body: Beginning,
  reply: Session,
});
export const renewSession = operation({
  name: 'things.renew-session',
  summary: 'Renews a session.',
  http: { method: 'POST', path: '/v1/thing-sessions/renew', status: 200 },
  access: { credential: 'none' },
  session: 'renews',
  bodyBytesMax: 64 * 1_024,
  body: Token,
  reply: Session,
  errors: ['TOKEN_REPLAY', 'REFRESH_TOKEN_INVALID'],
});
export const endSession = operation({
  name: 'things.end-session',
  summary: 'Ends a session.',
  http: { method: 'POST', path: '/v1/thing-sessions/end', status: 204 },
  access: { credential: 'none' },
  session: 'ends',
  bodyBytesMax: 64 * 1_024,
  body: Token,
});
export const openLinkedThing = operation({
  name: 'things.open-linked',
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
  body: LinkedThing,
  bodyBytesMax: 4_096,
  reply: Thing,
  bare: true,
  errors: ['LINK_NOT_FOUND', 'LINK_CONSUMED', 'LINK_CODES_EXHAUSTED'],
});
export const unansweredThing = operation({
  name: 'absent.read',
  summary: 'Of a service that is stopped.',
  http: { method: 'POST', path: '/v1/absent-things', status: 200 },
  access: { credential: 'key' },
  body: NewThing,
  reply: Thing,
});

export const thingOperations = [
  makeThing,
  readThing,
  listThings,
  listOthers,
  dropThing,
  adminThing,
  sessionThing,
  signUpThing,
  openThing,
  vaultThing,
  secretThing,
  namedThing,
  keepThing,
  bareThing,
  beginSession,
  promoteSession,
  renewSession,
  endSession,
  openLinkedThing,
  unansweredThing,
];
export type ThingReply = Thing;
export type ThingPage = Page;
