import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { filesTexts as texts } from '../../../texts/files.js';
import { Button } from '../../../ui/button.js';
import { bytesText, momentText } from '../../../ui/format.js';
import { Icon } from '../../../ui/icon.js';
import { Badge, Row } from '../../../ui/list.js';
import { toast } from '../../../ui/toast.js';
import { VirtualList } from '../../../ui/virtual-list.js';
import { useMayWrite, useOpenVault } from '../open/use-open-vault.js';
import { fileDialog } from './file-dialog.js';
import type { FileRow } from './folder-rows.js';
import { startDownload } from './start-download.js';
import type { Folder, Ingot } from './use-files.js';

interface Props {
  readonly rows: readonly FileRow[];
  readonly folders: readonly Folder[];
  /** Whether the rows come from several folders, so that each names its own. */
  readonly isSearch: boolean;
  readonly onNearEnd: () => void;
}

/** Folders and files; a row opens wherever it is pressed. */
export function FileList({ rows, folders, isSearch, onNearEnd }: Props) {
  const pathOf = (id: string | null) => folders.find((folder) => folder.folder_id === id)?.path;
  return (
    <VirtualList label={texts.list} items={rows} keyOf={({ key }) => key} onNearEnd={onNearEnd}>
      {(row) =>
        row.kind === 'folder' ? (
          <FolderRow folder={row.folder} />
        ) : (
          <FileItem file={row.file} path={isSearch ? pathOf(row.file.folder_id) : undefined} />
        )
      }
    </VirtualList>
  );
}

function FolderRow({ folder }: { readonly folder: Folder }) {
  const { folder_id: folderId, vault_id: vaultId, name } = folder;
  const mayWrite = useMayWrite();
  const title = (
    <span className="named">
      <Icon name="folder" />
      <Link to="/vaults/$vaultId/folders/$folderId" params={{ vaultId, folderId }} className="row-link">
        <bdi>{name}</bdi>
      </Link>
    </span>
  );
  const actions = mayWrite && (
    <Button
      kind="quiet"
      label={texts.folderActions(name)}
      onPress={() => fileDialog.set({ mode: 'rename-folder', id: folderId, text: name })}
    >
      {texts.rename}
    </Button>
  );
  return <Row title={title} details={texts.folder} actions={actions} />;
}

function FileItem({ file, path }: { readonly file: Ingot; readonly path: string | undefined }) {
  const vault = useOpenVault();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      if (!(await startDownload(vault, file.ingot_id))) toast(texts.blocked);
    } catch (error) {
      toast(errorText(error));
    }
    setBusy(false);
  };
  const state = texts.states[file.status];
  const facts = [path, bytesText(file.size_bytes), texts.changed(momentText(file.updated_at))];
  const title = (
    <span className="named">
      <Icon name="file" />
      <button
        type="button"
        className="row-button"
        onClick={() => fileDialog.set({ mode: 'file', id: file.ingot_id, text: file.name })}
      >
        <bdi>{file.name}</bdi>
      </button>
    </span>
  );
  const actions = file.status === 'active' && (
    <Button kind="quiet" isBusy={isBusy} label={texts.downloadOf(file.name)} onPress={() => void download()}>
      {texts.download}
    </Button>
  );
  return (
    <Row
      title={title}
      state={state && <Badge kind={file.status === 'failed' ? 'bad' : 'warn'}>{state}</Badge>}
      details={facts.filter(Boolean).join(' · ')}
      actions={actions}
    />
  );
}
