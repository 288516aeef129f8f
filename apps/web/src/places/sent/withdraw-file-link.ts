import { paginate, type Client } from '@vaultsvc/client';

/** A link of a file, by the id that opens nothing. */
export interface FileLink {
  readonly linkId: string;
  /** In epoch seconds, of the history. */
  readonly createdAt: number;
}

const PAGE = 100;
/** The history notes a link a moment after the list has it. */
const LATER_SECONDS = 60;

/**
 * Withdraws a link of a file. The API withdraws by the code, which opens the link: it is read here, and kept nowhere. Rejects with the
 * refusal.
 * @returns whether the API has the link; it forgets one within a day of its end
 */
export async function withdrawFileLink(client: Client, { linkId, createdAt }: FileLink): Promise<boolean> {
  const params = { query: { type: 'ingot', limit: PAGE } } as const;
  for await (const link of paginate(client, '/v1/sparklinks', { params })) {
    if (link.link_id === linkId) {
      const path = { link_code: link.link_code };
      await client.DELETE('/v1/sparklinks/{link_code}', { params: { path } });
      return true;
    }
    // Newest first.
    if (link.created_at < createdAt - LATER_SECONDS) return false;
  }
  return false;
}
