import { useParams } from '@tanstack/react-router';
import { VaultPage } from '../open/vault-page.js';
import { FolderView } from './folder-view.js';

/** The files of a vault, or of one of its folders. */
export function Place() {
  const { folderId = null } = useParams({ strict: false }) as { readonly folderId?: string };
  return (
    <VaultPage isFiles>
      <FolderView key={folderId} folderId={folderId} />
    </VaultPage>
  );
}
