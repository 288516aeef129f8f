import { event } from '../core/event.js';
import { IdOf, OneOf, Text } from '../core/fields.js';
import { linkTypes, visibilities, type LinkType, type Visibility } from './link.js';

/**
 * What happened to which link. The code is not here: of a one-time link it opens a file (LNK-22). The names of
 * these events are those of the audit trail (LNK-20), after the point and with `_` for `-`.
 */
export class LinkFact {
  @IdOf('acc') account_id: string;
  @Text({ max: 36 }) link_id: string;
  @OneOf(linkTypes) link_type: LinkType;
  @Text({ max: 64, description: 'The Spark or ingot.' }) asset_id: string;
  @IdOf('vlt', { nullable: true }) vault_id: string | null;
}

/** `system`: an asset was deleted and its links with it. */
export class LinkAction extends LinkFact {
  @OneOf(['api_key', 'session', 'system']) actor_type: 'api_key' | 'session' | 'system';
  @Text({ max: 64, nullable: true }) actor_id: string | null;
}

/** It was opened. The code is told now that it opens nothing more, or never wrapped anything (LNK-22). */
export class LinkAccess extends LinkFact {
  @Text({ max: 64 }) link_code: string;
  @OneOf(visibilities) visibility: Visibility;
  @Text({ max: 254, nullable: true }) verified_by: string | null;
  @Text({ max: 45, nullable: true }) ip: string | null;
  @Text({ max: 256, nullable: true }) user_agent: string | null;
}

/** Vaults looks whether it still has what a link of an ingot opens: its end may have come before the link. */
export const sparklinkCreated = event({
  name: 'sparks.sparklink-created',
  payload: LinkAction,
  consumers: ['vaults'],
});
/** Who may open it has changed. */
export const sparklinkUpdated = event({
  name: 'sparks.sparklink-updated',
  payload: LinkAction,
  consumers: [],
});
/** Vaults then shreds what a one-time link could open: its code is told here. */
export const sparklinkAccessed = event({
  name: 'sparks.sparklink-accessed',
  payload: LinkAccess,
  consumers: ['vaults'],
});
/** Withdrawn by its code, or gone with its asset; vaults shreds what it could open, forge ends what it gave out. */
export const sparklinkDeleted = event({
  name: 'sparks.sparklink-deleted',
  payload: LinkAction,
  consumers: ['vaults', 'forge'],
});
/** Its asset is shared no more. */
export const sparklinkRevoked = event({
  name: 'sparks.sparklink-revoked',
  payload: LinkAction,
  consumers: ['vaults'],
});
