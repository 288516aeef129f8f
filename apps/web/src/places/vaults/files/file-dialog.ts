import { keep } from '../../../api/kept.js';

export type FileDialogMode =
  | 'none'
  | 'new-folder'
  | 'rename-folder'
  | 'file'
  | 'preview'
  | 'rename'
  | 'move'
  | 'share'
  | 'delete'
  | 'delete-folder';

/** The dialog that is open, with what was typed in it: it is there again after the vault was locked and opened. */
export interface FileDialog {
  readonly mode: FileDialogMode;
  /** Of the file or the folder; for a new folder that of its parent. */
  readonly id: string;
  readonly text: string;
}

export const noDialog: FileDialog = { mode: 'none', id: '', text: '' };
export const fileDialog = keep<FileDialog>(noDialog, { isUnsaved: () => false });
export const closeFileDialog = (): void => fileDialog.set(noDialog);
