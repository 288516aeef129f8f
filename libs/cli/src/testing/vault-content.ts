import type { Answer } from './fake-api.js';

/** A folder as the API lists it. */
export const folder = (folder_id: string, path: string, parent_id: string | null = null) => ({
  folder_id,
  path,
  name: path.split('/').at(-1),
  parent_id,
  updated_at: 1_700_000_000,
});

/** A file as the API lists it; at the root, unless `changes` says otherwise. */
export const file = (ingot_id: string, name: string, changes: object = {}) => ({
  ingot_id,
  name,
  folder_id: null,
  size_bytes: 12,
  content_type: 'text/plain',
  status: 'active',
  managed_by: null,
  updated_at: 1_700_000_000,
  ...changes,
});

/** The answers of a vault `vlt_1` that holds these folders and files. */
export function vaultHolds(content: readonly object[]): Record<string, Answer> {
  const folders = content.filter((item) => 'path' in item);
  const ingots = content.filter((item) => 'ingot_id' in item) as { ingot_id: string }[];
  const page = { count: 0, has_more: false };
  return {
    'GET /v1/vaults/vlt_1/folders?limit=500': { data: { folders, ...page } },
    'GET /v1/vaults/vlt_1/ingots/search?limit=200': { data: { ingots, ...page, filters: {} } },
    ...Object.fromEntries(
      ingots.map((ingot) => [`GET /v1/vaults/vlt_1/ingots/${ingot.ingot_id}`, { data: ingot }]),
    ),
  };
}
