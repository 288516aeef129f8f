import { useRef } from 'react';
import { filesTexts as texts } from '../../../texts/files.js';
import { Button } from '../../../ui/button.js';
import { takeChosen, type Drop } from './dropped.js';
import { fileDialog } from './file-dialog.js';

interface Props {
  readonly folderId: string | null;
  readonly onChosen: (drop: Drop) => void;
}

/** Uploads, and new folders. */
export function FolderTools({ folderId, onChosen }: Props) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement) => {
    if (input.files) onChosen(takeChosen(input.files));
    // The same file may be chosen again.
    input.value = '';
  };
  return (
    <div className="actions">
      <input ref={files} type="file" multiple hidden onChange={({ target }) => take(target)} />
      <input ref={folder} type="file" webkitdirectory="" hidden onChange={({ target }) => take(target)} />
      <Button icon="file" onPress={() => files.current?.click()}>
        {texts.upload}
      </Button>
      <Button kind="quiet" onPress={() => folder.current?.click()}>
        {texts.uploadFolder}
      </Button>
      <Button
        kind="quiet"
        onPress={() => fileDialog.set({ mode: 'new-folder', id: folderId ?? '', text: '' })}
      >
        {texts.newFolder}
      </Button>
    </div>
  );
}
