import { useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { commonTexts } from '../../../texts/common.js';
import { filesTexts as texts } from '../../../texts/files.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Select } from '../../../ui/select.js';
import { Problem } from '../../../ui/states.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { closeFileDialog } from './file-dialog.js';
import type { Folder, Ingot } from './use-files.js';

interface Props {
  readonly file: Ingot;
  readonly folders: readonly Folder[];
  readonly onMoved: () => void;
}

/** Moves a file into another folder. */
export function MoveDialog({ file, folders, onMoved }: Props) {
  const { client, vaultId } = useOpenVault();
  const [target, setTarget] = useState(file.folder_id ?? '');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const move = async () => {
    setBusy(true);
    try {
      await client.PATCH('/v1/vaults/{vault_id}/ingots/{ingot_id}', {
        params: { path: { vault_id: vaultId, ingot_id: file.ingot_id } },
        body: { folder_id: target === '' ? null : target },
      });
      onMoved();
      closeFileDialog();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  const paths = folders.map(({ folder_id: value, path }) => ({ value, text: path }));
  const sorted = paths.sort((a, b) => a.text.localeCompare(b.text));
  return (
    <Dialog title={texts.move} onClose={closeFileDialog}>
      <Select
        label={texts.target}
        value={target}
        onChange={setTarget}
        options={[{ value: '', text: texts.root }, ...sorted]}
      />
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
      <div className="actions">
        <Button isBusy={isBusy} onPress={() => void move()}>
          {texts.move}
        </Button>
        <Button kind="quiet" onPress={closeFileDialog}>
          {commonTexts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
