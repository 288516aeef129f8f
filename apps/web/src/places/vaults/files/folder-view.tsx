import { useState } from 'react';
import { filesTexts as texts, uploadTexts } from '../../../texts/files.js';
import { classNames } from '../../../ui/class-names.js';
import { Field } from '../../../ui/field.js';
import { Empty, Failed, Loading } from '../../../ui/states.js';
import { toast } from '../../../ui/toast.js';
import { errorText } from '../../../api/error-text.js';
import { useMayWrite, useOpenVault } from '../open/use-open-vault.js';
import { InterruptedUploads } from '../uploads/interrupted-uploads.js';
import { UploadList } from '../uploads/upload-list.js';
import { addUploads, type NewUpload } from '../uploads/upload-queue.js';
import { takeDrop, type Drop } from './dropped.js';
import { ExistingNames } from './existing-names.js';
import { FileDialogs } from './file-dialogs.js';
import { FileList } from './file-list.js';
import { ensureFolders } from './ensure-folders.js';
import { filesOf, matching, rowsOf, trailOf } from './folder-rows.js';
import { FolderTools } from './folder-tools.js';
import { planUploads } from './plan-uploads.js';
import { Trail } from './trail.js';
import { useDrops } from './use-drops.js';
import { useFiles, useFolders, useFound, type Files, type Folder } from './use-files.js';

/** So few files need no search. */
const UNSEARCHED_MAX = 8;

/** A folder: its path, what it holds, and what is uploaded into it. */
export function FolderView({ folderId }: { readonly folderId: string | null }) {
  const files = useFiles();
  const folders = useFolders();
  if (files.isPending || folders.isPending) return <Loading />;
  if (files.isError) return <Failed error={files.error} retry={() => void files.refetch()} />;
  if (folders.isError) return <Failed error={folders.error} retry={() => void folders.refetch()} />;
  return <Content folderId={folderId} files={files.data} folders={folders.data} />;
}

interface ContentProps {
  readonly folderId: string | null;
  readonly files: Files;
  readonly folders: readonly Folder[];
}

function Content({ folderId, files, folders }: ContentProps) {
  const mayWrite = useMayWrite();
  const [search, setSearch] = useState('');
  const uploading = useUploading({ folderId, files, folders });
  const found = useFound(search, files.isPartial);
  const isOver = useDrops((data) => {
    if (mayWrite) void uploading.add(takeDrop(data));
  });
  const hits = files.isPartial ? (found.data ?? []) : matching(files.files, search);
  const rows = search === '' ? rowsOf(folderId, folders, files.files) : filesOf(hits);
  const nothing = mayWrite ? texts.empty : texts.emptyReader;
  return (
    <div className={classNames('drop-zone', isOver && mayWrite && 'dropping')}>
      <Trail folders={trailOf(folderId, folders)} />
      {mayWrite && (
        <FolderTools folderId={folderId} onChosen={(chosen) => void uploading.add(Promise.resolve(chosen))} />
      )}
      {uploading.isReading && <p role="status">{uploadTexts.reading}</p>}
      <UploadList />
      {mayWrite && <InterruptedUploads />}
      {files.files.length > UNSEARCHED_MAX && (
        <Field label={texts.search} type="search" value={search} onChange={setSearch} autoComplete="off" />
      )}
      {files.isPartial && <p className="hint">{texts.partial(files.files.length)}</p>}
      {rows.length > 0 ? (
        <FileList rows={rows} folders={folders} isSearch={search !== ''} />
      ) : (
        <Empty icon="folder" text={search === '' ? nothing : texts.nothingFound} />
      )}
      <FileDialogs files={files.files} folders={folders} />
      {uploading.question}
    </div>
  );
}

/** Adds files to the queue, after a question about names that exist. */
function useUploading({ folderId, files, folders }: ContentProps) {
  const vault = useOpenVault();
  const [isReading, setReading] = useState(false);
  const [asked, ask] = useState<readonly NewUpload[]>([]);
  const add = async (taking: Promise<Drop>) => {
    setReading(true);
    try {
      const drop = await taking;
      const base = trailOf(folderId, folders).at(-1)?.path ?? '';
      const plan = planUploads({ vaultId: vault.vaultId, folderId, base, drop, files: files.files, folders });
      addUploads(plan.fresh);
      ask(plan.existing);
      await ensureFolders(vault, base, drop.emptyFolders, folders);
    } catch (error) {
      toast(errorText(error));
    } finally {
      setReading(false);
    }
  };
  const question = asked.length > 0 && (
    <ExistingNames
      names={asked.map(({ name }) => name)}
      onReplace={() => {
        addUploads(asked);
        ask([]);
      }}
      onSkip={() => ask([])}
    />
  );
  return { isReading, add, question };
}
