import { useEffect } from 'react';
import { waitingFile, type StoredFile, type WaitingStep } from '../../../api/waiting-file.js';
import { commonTexts } from '../../../texts/common.js';
import { waitingFileTexts as texts } from '../../../texts/waiting-file.js';
import { Button } from '../../../ui/button.js';
import { focusHeading } from '../../../ui/page.js';
import { useMayWrite } from '../open/use-open-vault.js';
import { useStoredContent } from './use-stored-content.js';
import { WaitingCard } from '../waiting/waiting-card.js';

interface Props {
  readonly file: File;
  readonly step: WaitingStep;
  readonly onUpload: (file: File) => void;
  readonly isBusy: boolean;
  readonly onShare: (stored: StoredFile) => void;
}

/** The waiting file in the vault that takes it: the button of its upload, and then that of its link. */
export function WaitingHere({ file, step, onUpload, isBusy, onShare }: Props) {
  const mayWrite = useMayWrite();
  const stored = step.kind === 'stored' ? step : undefined;
  const content = useStoredContent(stored);
  const ready = content.data === 'ready' ? stored : undefined;
  useOffer(ready, onShare);
  const upload = () => {
    // The button goes away.
    focusHeading();
    onUpload(file);
  };
  const isWaiting = step.kind === 'waiting';
  return (
    <WaitingCard file={file} step={step} text={textOf(step, mayWrite, content.data)}>
      {isWaiting && mayWrite && (
        <Button isBusy={isBusy} onPress={upload}>
          {texts.upload}
        </Button>
      )}
      {ready && <Button onPress={() => onShare(ready)}>{texts.createLink}</Button>}
      {stored && content.isError && (
        <Button kind="quiet" onPress={() => void content.refetch()}>
          {commonTexts.tryAgain}
        </Button>
      )}
    </WaitingCard>
  );
}

function textOf(
  { kind }: WaitingStep,
  mayWrite: boolean,
  content: 'ready' | 'failed' | 'storing' = 'storing',
) {
  if (kind === 'waiting') return mayWrite ? texts.ready : texts.readOnly;
  if (kind !== 'stored') return texts[kind];
  return texts.content[content];
}

/** Opens the dialog of the link by itself, once, unless another dialog is open. */
function useOffer(ready: StoredFile | undefined, onShare: (stored: StoredFile) => void): void {
  useEffect(() => {
    if (!ready || ready.isOffered || document.querySelector('.dialog') !== null) return;
    waitingFile.update({ step: { ...ready, isOffered: true } });
    onShare(ready);
  }, [ready, onShare]);
}
