import { lazy, Suspense, useEffect, useState } from 'react';
import { loadPart } from '../../../api/load-part.js';
import { useKept } from '../../../api/kept.js';
import { forgetWaitingFile, waitingFile, type StoredFile } from '../../../api/waiting-file.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { followUploads, type Uploads } from './follow-uploads.js';
import { WaitingHere } from './waiting-here.js';
import { WaitingElsewhere } from '../waiting/waiting-elsewhere.js';

/** Loaded when it is opened. */
const ShareDialog = lazy(async () => ({
  default: (await loadPart(() => import('../shares/share-dialog.js'))).ShareDialog,
}));

export interface WaitingProps {
  /** Adds the file to the uploads, after a question about a name that exists. */
  readonly onUpload: (file: File) => void;
  /** Whether names are being compared. */
  readonly isBusy: boolean;
  /** Of this tab. They are handed over, because this file is loaded beside that of the files. */
  readonly uploads: Uploads;
}

/** The waiting file in the files of an open vault, and the dialog of its link. */
export function WaitingInFiles({ onUpload, isBusy, uploads }: WaitingProps) {
  const { vaultId } = useOpenVault();
  const { file, step } = useKept(waitingFile);
  // The dialog with the link stays when the link was made and no file waits any more.
  const [shared, share] = useState<StoredFile>();
  useEffect(() => followUploads(uploads), [uploads]);
  const isHere = step.kind === 'waiting' || step.vaultId === vaultId;
  return (
    <>
      {file && isHere && (
        <WaitingHere file={file} step={step} onUpload={onUpload} isBusy={isBusy} onShare={share} />
      )}
      {file && !isHere && <WaitingElsewhere file={file} step={step} page={{ kind: 'part', vaultId }} />}
      {shared && (
        <Suspense>
          <ShareDialog
            ingotId={shared.ingotId}
            name={shared.name}
            onMade={forgetWaitingFile}
            onClose={() => share(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
