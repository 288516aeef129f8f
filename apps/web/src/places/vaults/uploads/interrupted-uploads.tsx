import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useKept } from '../../../api/kept.js';
import { queryClient } from '../../../api/query-client.js';
import { uploadTexts as texts } from '../../../texts/files.js';
import { Button } from '../../../ui/button.js';
import { List, Row } from '../../../ui/list.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { vaultKeys } from '../open/vault-queries.js';
import { endUpload } from './end-upload.js';
import type { StoredUpload } from '../open/sealed-uploads.js';
import { addUploads, uploads } from './upload-queue.js';

/** Uploads that a reload has interrupted, until the person chooses their files again or gives them up. */
export function InterruptedUploads() {
  const { vaultId, sealed } = useOpenVault();
  const { items } = useKept(uploads);
  const queryKey = [...vaultKeys.inside(vaultId), 'interrupted'];
  const { data = [] } = useQuery({ queryKey, queryFn: () => sealed.list() });
  const isRunning = ({ name, size }: StoredUpload) =>
    items.some((item) => item.name === name && item.file.size === size);
  const shown = data.filter((one) => !isRunning(one));
  if (shown.length === 0) return null;
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  return (
    <section className="stack tight">
      <h2>{texts.interruptedTitle}</h2>
      <List label={texts.interruptedTitle} items={shown} keyOf={({ key }) => key}>
        {(stored) => <Interrupted stored={stored} onChanged={() => void refresh()} />}
      </List>
    </section>
  );
}

interface Props {
  readonly stored: StoredUpload;
  readonly onChanged: () => void;
}

function Interrupted({ stored, onChanged }: Props) {
  const vault = useOpenVault();
  const chooser = useRef<HTMLInputElement>(null);
  const [isOther, setOther] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { name, size, sent, folderId, folderPath, upload, key } = stored;
  const goOn = (file: File | undefined) => {
    if (!file) return;
    const isSame = file.size === size && file.lastModified === stored.modifiedAt;
    setOther(!isSame);
    if (isSame) addUploads([{ vaultId: vault.vaultId, file, name, folderId, folderPath }]);
  };
  const giveUp = async () => {
    setBusy(true);
    // What is not deleted now, the list of files shows.
    await endUpload(upload, vault).catch(() => undefined);
    await vault.sealed.remove(key);
    onChanged();
  };
  return (
    <>
      <input ref={chooser} type="file" hidden onChange={({ target }) => goOn(target.files?.[0])} />
      <Row
        title={<bdi>{name}</bdi>}
        details={isOther ? texts.otherFile : texts.interruptedAt(Math.floor((sent / size) * 100))}
        actions={
          <>
            <Button label={texts.chooseAgainOf(name)} onPress={() => chooser.current?.click()}>
              {texts.chooseAgain}
            </Button>
            <Button kind="quiet" isBusy={isBusy} label={texts.giveUpOf(name)} onPress={() => void giveUp()}>
              {texts.giveUp}
            </Button>
          </>
        }
      />
    </>
  );
}
