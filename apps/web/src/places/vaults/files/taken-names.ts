import { pages } from '@vaultsvc/client';
import type { OpenVault } from '../open/open-vaults.js';
import type { NamedFile } from './plan-uploads.js';

const PAGE = 200;
/** Fewer names than this are asked for one by one; a folder may have thousands. */
const SINGLE_MAX = 8;
/** The API refuses longer texts, and longer names. */
const NAME_MAX = 255;
/** The name itself is the first one of those that begin with it. */
const BEGINNINGS = 5;

/** The files of folders whose names dropped files may have. Rejects with the refusal. */
export async function readTaken(
  vault: OpenVault,
  targets: ReadonlyMap<string | null, readonly string[]>,
): Promise<readonly NamedFile[]> {
  const found: NamedFile[] = [];
  // One after the other: a drop of a large folder must leave calls for the uploads.
  for (const [folderId, names] of targets) {
    const queries = names.length <= SINGLE_MAX ? names.map((name) => ({ q: name.slice(0, NAME_MAX) })) : [{}];
    for (const query of queries) found.push(...(await readNames(vault, folderId, query)));
  }
  return found;
}

async function readNames(
  { client, vaultId }: OpenVault,
  folderId: string | null,
  filter: { readonly q?: string },
): Promise<readonly NamedFile[]> {
  const isSingle = filter.q !== undefined;
  const query = {
    ...filter,
    folder_id: folderId ?? 'root',
    limit: isSingle ? BEGINNINGS : PAGE,
    sort_by: 'name',
    sort_order: 'asc',
  } as const;
  const params = { path: { vault_id: vaultId }, query };
  const found: NamedFile[] = [];
  for await (const page of pages(client, '/v1/vaults/{vault_id}/ingots/search', { params })) {
    found.push(...page.ingots);
    if (isSingle && found.length > 0) break;
  }
  return found;
}
