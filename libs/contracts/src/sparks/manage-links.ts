import { Cursor, Flag, Int, ListOf, OneOf, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { LinkCodeField, LinkParams, linkTypes, SparkLink, SparkLinkSummary, type LinkType } from './link.js';

export class LinkListQuery {
  @OneOf(linkTypes, { optional: true, description: 'Links of Sparks, or of ingots; default both.' })
  type?: LinkType;

  @Int({ min: 1, max: 100, optional: true }) limit = 50;
  @Cursor() cursor?: string;
}

export class LinkList {
  @ListOf(() => SparkLinkSummary) sparklinks: SparkLinkSummary[];
  @Int({ min: 0 }) count: number;
  @Text({ max: 2_048, nullable: true, description: 'null: there are no more.' }) cursor: string | null;
}

export const listLinks = operation({
  name: 'sparks.list-links',
  summary: 'Lists the SparkLinks of the account, newest first.',
  http: { method: 'GET', path: '/v1/sparklinks', status: 200 },
  access: { credential: 'key' },
  query: LinkListQuery,
  reply: LinkList,
  cursor: 'cursor',
  repeatable: true,
});

/** An unknown code and one of another account are 400 (LNK-07). */
export const readLink = operation({
  name: 'sparks.read-link',
  summary: 'Reads one SparkLink of the account.',
  http: { method: 'GET', path: '/v1/sparklinks/{link_code}', status: 200 },
  access: { credential: 'key' },
  params: LinkParams,
  unknown: 'SPARKLINK_NOT_FOUND',
  reply: SparkLink,
  errors: ['SPARKLINK_NOT_FOUND'],
  repeatable: true,
});

export class DeletedLink {
  @Flag() deleted: true;
  @LinkCodeField() link_code: string;
}

/** It stays, revoked, in lists; again is 200 (AMB-36). Of a durable share it is the end of the sharing. */
export const deleteLink = operation({
  name: 'sparks.delete-link',
  summary: 'Withdraws a SparkLink: nobody can open it any more. What it led to is kept.',
  http: { method: 'DELETE', path: '/v1/sparklinks/{link_code}', status: 200 },
  access: { credential: 'key' },
  params: LinkParams,
  unknown: 'SPARKLINK_NOT_FOUND',
  reply: DeletedLink,
  errors: ['SPARKLINK_NOT_FOUND'],
});
