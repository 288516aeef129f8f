import { useRef, useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { commonTexts } from '../../../texts/common.js';
import { filesTexts as texts } from '../../../texts/files.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { bytesText, momentText } from '../../../ui/format.js';
import { Problem } from '../../../ui/states.js';
import { useMayWrite, useOpenVault } from '../open/use-open-vault.js';
import { previewMax, previewOf } from '../preview/preview-kind.js';
import { PreviewRemark } from '../preview/preview-remark.js';
import { addUploads } from '../uploads/upload-queue.js';
import { closeFileDialog, fileDialog, type FileDialogMode } from './file-dialog.js';
import { startDownload } from './start-download.js';
import type { Ingot } from './use-files.js';

/** A file, with all that can be done with it. */
export function FileActions({ file }: { readonly file: Ingot }) {
  const vault = useOpenVault();
  const mayWrite = useMayWrite();
  const [problem, setProblem] = useState<string>();
  const form = previewOf(file.name);
  const isActive = file.status === 'active';
  const download = () =>
    startDownload(vault, file.ingot_id).then(
      (isStarted) => (isStarted ? closeFileDialog() : setProblem(texts.blocked)),
      (error: unknown) => setProblem(errorText(error)),
    );
  return (
    <Dialog title={file.name} onClose={closeFileDialog}>
      <p className="hint">
        {bytesText(file.size_bytes)} · {texts.changed(momentText(file.updated_at))}
      </p>
      {isActive && <PreviewRemark name={file.name} size={file.size_bytes} />}
      {problem !== undefined && <Problem>{problem}</Problem>}
      <div className="stack tight">
        {isActive && <Button onPress={() => void download()}>{texts.download}</Button>}
        {isActive && form && file.size_bytes <= previewMax[form.kind] && (
          <Button
            kind="quiet"
            onPress={() => fileDialog.set({ mode: 'preview', id: file.ingot_id, text: file.name })}
          >
            {texts.preview}
          </Button>
        )}
        {mayWrite && <Changes file={file} />}
        <Button kind="quiet" onPress={closeFileDialog}>
          {commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}

function Changes({ file: { ingot_id: id, name, status, folder_id: folderId } }: { readonly file: Ingot }) {
  const { vaultId } = useOpenVault();
  const chooser = useRef<HTMLInputElement>(null);
  const go = (mode: FileDialogMode) => () => fileDialog.set({ mode, id, text: name });
  const replace = (file: File | undefined) => {
    if (!file) return;
    addUploads([{ vaultId, file, name, folderId, folderPath: undefined }]);
    closeFileDialog();
  };
  const isReady = status === 'active';
  return (
    <>
      {isReady && (
        <>
          <Button kind="quiet" icon="share" onPress={go('share')}>
            {texts.share}
          </Button>
          <Button kind="quiet" onPress={go('rename')}>
            {texts.rename}
          </Button>
          <Button kind="quiet" onPress={go('move')}>
            {texts.move}
          </Button>
          <input ref={chooser} type="file" hidden onChange={({ target }) => replace(target.files?.[0])} />
          <Button kind="quiet" onPress={() => chooser.current?.click()}>
            {texts.replace}
          </Button>
        </>
      )}
      {(isReady || status === 'failed') && (
        <Button kind="quiet" onPress={go('delete')}>
          {texts.delete}
        </Button>
      )}
    </>
  );
}
