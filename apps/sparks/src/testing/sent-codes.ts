import type { MessageKind } from '@vaultsvc/contracts/sparks';
import { LinkSealer } from '../link/link-sealer.js';
import type { MessageText } from '../message/link-message-queue.js';
import type { Platform } from './platform.js';

type Database = Pick<Platform, 'service' | 'sql'>;

/** For specs: the one-time codes enqueued for an asset's link, in clear, newest last. */
export function sentCodes(platform: Database, assetId: string): Promise<MessageText[]> {
  return textsOf(platform, assetId, 'code');
}

/** For specs: the recipients of the invitations enqueued for an asset's links, newest last. */
export async function invitedIdentities(platform: Database, assetId: string): Promise<string[]> {
  return (await textsOf(platform, assetId, 'invitation')).map(({ identity }) => identity);
}

async function textsOf({ service, sql }: Database, assetId: string, kind: MessageKind) {
  const rows = await sql<{ link_id: string; kid: string; sealed: Buffer }>(FIND, [assetId, kind]);
  const sealed = rows.map(({ link_id: linkId, kid, sealed: bytes }) => ({ linkId, kid, sealed: bytes }));
  const texts = await service.context.get(LinkSealer).openTexts(sealed);
  return texts.map((text) => JSON.parse(text) as MessageText);
}

// Those of a link expire with it, at the same time.
const FIND = `
  SELECT m.link_id, m.kid, m.sealed FROM link_messages m JOIN sparklinks l ON l.id = m.link_id
   WHERE l.asset_id = $1 AND m.kind = $2 ORDER BY m.expires_at, m.created_at`;
