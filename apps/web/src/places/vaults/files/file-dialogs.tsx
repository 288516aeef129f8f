import { lazy, Suspense } from 'react';
import { loadPart } from '../../../api/load-part.js';
import { useKept } from '../../../api/kept.js';
import { filesTexts as texts } from '../../../texts/files.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { focusHeadingAfterDialog } from '../../../ui/page.js';
import { previewOf } from '../preview/preview-kind.js';
import { FileActions } from './file-actions.js';
import { closeFileDialog, fileDialog, type FileDialogMode } from './file-dialog.js';
import { FolderDialogs } from './folder-dialogs.js';
import { MoveDialog } from './move-dialog.js';
import { NameDialog } from './name-dialog.js';
import { useFileChanges } from './use-file-changes.js';
import type { Folder, Ingot } from './use-files.js';

/** Loaded when it is opened. */
const ShareDialog = lazy(async () => ({
  default: (await loadPart(() => import('../shares/share-dialog.js'))).ShareDialog,
}));

const PreviewDialog = lazy(async () => ({
  default: (await loadPart(() => import('../preview/preview-dialog.js'))).PreviewDialog,
}));

interface Props {
  readonly files: readonly Ingot[];
  readonly folders: readonly Folder[];
}

/** The dialog that is open, if any. */
export function FileDialogs({ files, folders }: Props) {
  const { mode, id } = useKept(fileDialog);
  const { rename, deleteFile, changed } = useFileChanges(id);
  const file = files.find(({ ingot_id: own }) => own === id);
  if (!file) return <FolderDialogs />;
  if (mode === 'file') return <FileActions file={file} />;
  if (mode === 'rename')
    return <NameDialog title={texts.rename} label={texts.name} save={texts.save} act={rename} />;
  if (mode === 'move') return <MoveDialog file={file} folders={folders} onMoved={changed} />;
  const form = previewOf(file.name);
  if (mode === 'preview' && form)
    return (
      <Suspense>
        <PreviewDialog file={file} form={form} onDownload={goTo('file', file)} onClose={closeFileDialog} />
      </Suspense>
    );
  if (mode === 'share')
    return (
      <Suspense>
        <ShareDialog ingotId={id} name={file.name} onClose={closeFileDialog} />
      </Suspense>
    );
  if (mode !== 'delete') return null;
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      text={texts.deleteText(file.name)}
      confirm={texts.delete}
      act={deleteFile}
      onClose={closeDeletion}
    />
  );
}

const goTo =
  (mode: FileDialogMode, { ingot_id: id, name }: Ingot) =>
  () =>
    fileDialog.set({ mode, id, text: name });

/** The row that had the focus may be gone. */
function closeDeletion(): void {
  closeFileDialog();
  focusHeadingAfterDialog();
}
