import { useState } from 'react';
import { uploadTexts } from '../../../texts/files.js';
import { classNames } from '../../../ui/class-names.js';
import { Failed, Loading } from '../../../ui/states.js';
import { useMayWrite, useOpenVault } from '../open/use-open-vault.js';
import { useVault } from '../open/vault-queries.js';
import { InterruptedUploads } from '../uploads/interrupted-uploads.js';
import { UploadList } from '../uploads/upload-list.js';
import { WaitingToSend } from '../sending/waiting-to-send.js';
import { takeDrop, takeFile } from './dropped.js';
import { FileDialogs } from './file-dialogs.js';
import { FolderContent } from './folder-content.js';
import { trailOf } from './folder-rows.js';
import { FolderTools } from './folder-tools.js';
import { SearchField } from './search-field.js';
import { Trail } from './trail.js';
import { useDrops } from './use-drops.js';
import { useFiles, useFolders, type Folder } from './use-files.js';
import { useUploading } from './use-uploading.js';

/** So few files need no search. */
const UNSEARCHED_MAX = 8;

/** A folder: its path, what it holds, and what is uploaded into it. */
export function FolderView({ folderId }: { readonly folderId: string | null }) {
  const folders = useFolders();
  if (folders.isPending) return <Loading />;
  if (folders.isError) return <Failed error={folders.error} retry={() => void folders.refetch()} />;
  return <Files folderId={folderId} folders={folders.data} />;
}

interface FolderProps {
  readonly folderId: string | null;
  readonly folders: readonly Folder[];
}

function Files({ folderId, folders }: FolderProps) {
  const mayWrite = useMayWrite();
  const [search, setSearch] = useState('');
  const files = useFiles(folderId, search);
  const listed = files.data?.pages.flatMap((page) => page.files) ?? [];
  const uploading = useUploading(folderId, folders);
  const hasMany = useHasMany(listed.length);
  const isOver = useDrops((data) => {
    if (mayWrite) void uploading.add(takeDrop(data));
  });
  return (
    <div className={classNames('drop-zone', isOver && mayWrite && 'dropping')}>
      <Trail folders={trailOf(folderId, folders)} />
      <WaitingToSend
        isBusy={uploading.isReading}
        onUpload={(file) => void uploading.add(Promise.resolve(takeFile(file)))}
      />
      {mayWrite && (
        <FolderTools folderId={folderId} onChosen={(chosen) => void uploading.add(Promise.resolve(chosen))} />
      )}
      {uploading.isReading && <p role="status">{uploadTexts.reading}</p>}
      {uploading.problem}
      <UploadList />
      {mayWrite && <InterruptedUploads />}
      {(hasMany || search !== '') && <SearchField onSearch={setSearch} />}
      <FolderContent folderId={folderId} folders={folders} query={files} files={listed} search={search} />
      <FileDialogs files={listed} folders={folders} />
      {uploading.question}
    </div>
  );
}

/** Whether the vault has so many files that a person searches for one. */
function useHasMany(listed: number): boolean {
  const vault = useVault(useOpenVault().vaultId);
  return Math.max(listed, vault.data?.ingot_count ?? 0) > UNSEARCHED_MAX;
}
