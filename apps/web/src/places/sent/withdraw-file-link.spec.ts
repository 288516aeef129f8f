import { describe, expect, it } from '@jest/globals';
import type { Client } from '@vaultsvc/client';
import { withdrawFileLink } from './withdraw-file-link.js';

const CREATED = 1_790_000_000;
const link = (id: string | undefined, created_at: number) => ({
  link_id: id,
  link_code: `code of ${id}`,
  created_at,
});

/** A client of an API that has these pages of links, with the calls that reached it. */
function clientOf(...pages: ReturnType<typeof link>[][]) {
  const calls: string[] = [];
  const GET = (_: string, { params }: { params: { query: { type: string; cursor?: string } } }) => {
    const at = Number(params.query.cursor ?? 0);
    calls.push(`${params.query.type} ${at}`);
    const next = at + 1 < pages.length ? { next_cursor: String(at + 1) } : {};
    return Promise.resolve({ data: { sparklinks: pages[at], cursor: null, count: 1, ...next } });
  };
  const DELETE = (_: string, { params }: { params: { path: { link_code: string } } }) => {
    calls.push(params.path.link_code);
    return Promise.resolve({ data: {} });
  };
  return { client: { GET, DELETE } as unknown as Client, calls };
}
const mine = { linkId: 'mine', createdAt: CREATED };

describe('WEB-16 LNK-24: withdrawing a link of a file', () => {
  it('withdraws the one with the id, among those of the same moment', async () => {
    const { client, calls } = clientOf([link('other', CREATED)], [link('mine', CREATED), link('old', 1)]);
    expect(await withdrawFileLink(client, mine)).toBe(true);
    expect(calls).toEqual(['ingot 0', 'ingot 1', 'code of mine']);
  });

  it('withdraws none when the list does not have it, and reads no links from before it', async () => {
    const { client, calls } = clientOf(
      [link('other', CREATED), link('old', CREATED - 3_600)],
      [link('mine', 1)],
    );
    expect(await withdrawFileLink(client, mine)).toBe(false);
    expect(calls).toEqual(['ingot 0']);
  });

  it('withdraws none where an earlier release names no ids', async () => {
    const { client, calls } = clientOf([link(undefined, CREATED)]);
    expect(await withdrawFileLink(client, mine)).toBe(false);
    expect(calls).toEqual(['ingot 0']);
  });
});
