import { Link } from '@tanstack/react-router';
import { filesTexts as texts } from '../../../texts/files.js';
import { useVaultId } from '../open/vault-queries.js';
import type { Folder } from './use-files.js';

/** The path of a folder; nothing at the root. */
export function Trail({ folders }: { readonly folders: readonly Folder[] }) {
  const vaultId = useVaultId();
  const last = folders.at(-1);
  if (!last) return null;
  return (
    <nav aria-label={texts.path}>
      <ol className="trail">
        <li>
          <Link to="/vaults/$vaultId" params={{ vaultId }}>
            {texts.root}
          </Link>
        </li>
        {folders.map(({ folder_id: folderId, name }) => (
          <li key={folderId}>
            {folderId === last.folder_id ? (
              <bdi aria-current="page">{name}</bdi>
            ) : (
              <Link to="/vaults/$vaultId/folders/$folderId" params={{ vaultId, folderId }}>
                <bdi>{name}</bdi>
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
