import { useKept } from '../../../api/kept.js';
import { filesTexts as texts } from '../../../texts/files.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { focusHeadingAfterDialog } from '../../../ui/page.js';
import { closeFileDialog, fileDialog } from './file-dialog.js';
import { NameDialog } from './name-dialog.js';
import { useFileChanges } from './use-file-changes.js';

/** The dialog of a folder that is open, if any. */
export function FolderDialogs() {
  const { mode, id, text } = useKept(fileDialog);
  const { createFolder, renameFolder, deleteFolder } = useFileChanges(id);
  if (mode === 'new-folder')
    return (
      <NameDialog
        title={texts.newFolder}
        label={texts.folderName}
        save={texts.createFolder}
        act={createFolder}
      />
    );
  if (mode === 'rename-folder')
    return (
      <NameDialog
        title={texts.renameFolder}
        label={texts.folderName}
        save={texts.save}
        act={renameFolder}
        onDelete={() => fileDialog.set({ mode: 'delete-folder', id, text })}
      />
    );
  if (mode !== 'delete-folder') return null;
  const close = () => {
    closeFileDialog();
    focusHeadingAfterDialog();
  };
  return (
    <ConfirmDialog
      title={texts.deleteFolder}
      text={texts.deleteFolderText}
      confirm={texts.deleteFolder}
      act={deleteFolder}
      onClose={close}
    />
  );
}
