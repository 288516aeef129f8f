import { LinkSealer } from '../link/link-sealer.js';
import type { MessageText } from '../message/link-message-queue.js';
import type { Platform } from './platform.js';

/** For specs: the one-time codes enqueued for an asset's link, in clear, newest last. */
export async function sentCodes(
  { service, sql }: Pick<Platform, 'service' | 'sql'>,
  assetId: string,
): Promise<MessageText[]> {
  const rows = await sql<{ link_id: string; kid: string; sealed: Buffer }>(FIND, [assetId]);
  const sealed = rows.map(({ link_id: linkId, kid, sealed: bytes }) => ({ linkId, kid, sealed: bytes }));
  const texts = await service.context.get(LinkSealer).openTexts(sealed);
  return texts.map((text) => JSON.parse(text) as MessageText);
}

const FIND = `
  SELECT m.link_id, m.kid, m.sealed FROM link_messages m JOIN sparklinks l ON l.id = m.link_id
   WHERE l.asset_id = $1 AND m.kind = 'code' ORDER BY m.expires_at, m.created_at`;
