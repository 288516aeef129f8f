import { useEffect, useState } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useClient } from '../../../session/session-context.js';
import { commonTexts } from '../../../texts/common.js';
import { secretsTexts as texts } from '../../../texts/secrets.js';
import { Button } from '../../../ui/button.js';
import { copy } from '../../../ui/copy.js';
import { Dialog } from '../../../ui/dialog.js';
import { SecretValue } from '../../../ui/secret-value.js';
import { Problem } from '../../../ui/states.js';
import { useNow, useOpenVault } from '../open/use-open-vault.js';
import { revealSecret } from './reveal-secret.js';

const SHOWN_SECONDS = 60;

interface Props {
  readonly ingotId: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Says that revealing is recorded, reveals by a press, and hides the value again. */
export function RevealDialog({ ingotId, name, onClose }: Props) {
  const { shown, isHidden, isBusy, problem, reveal, hide } = useReveal(ingotId, name);
  return (
    <Dialog title={shown ? name : texts.revealTitle} onClose={onClose}>
      {shown ? (
        <Revealed value={shown.text} until={shown.until} onHide={hide} />
      ) : (
        <>
          {isHidden && <p role="status">{texts.hidden}</p>}
          <p>{texts.revealText}</p>
          {problem !== undefined && <Problem>{problem}</Problem>}
        </>
      )}
      <div className="actions">
        {shown ? (
          <Button icon="copy" onPress={() => void copy(shown.text)}>
            {commonTexts.copy}
          </Button>
        ) : (
          <Button isBusy={isBusy} onPress={() => void reveal()}>
            {texts.reveal}
          </Button>
        )}
        <Button kind="quiet" onPress={onClose}>
          {commonTexts.close}
        </Button>
      </div>
    </Dialog>
  );
}

/** The value is in the state of the dialog alone, and gone with it. */
function useReveal(ingotId: string, name: string) {
  const client = useClient();
  const { client: inside, vaultId } = useOpenVault();
  const [shown, show] = useState<{ readonly text: string; readonly until: number }>();
  const [isHidden, setHidden] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const reveal = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const text = await revealSecret({ inside, client }, { vaultId, ingotId, name });
      show({ text, until: Date.now() / 1_000 + SHOWN_SECONDS });
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(false);
  };
  const hide = () => {
    show(undefined);
    setHidden(true);
  };
  return { shown, isHidden, isBusy, problem, reveal, hide };
}

interface RevealedProps {
  readonly value: string;
  readonly until: number;
  readonly onHide: () => void;
}

/** By the clock: a computer that slept has run no timer. */
function Revealed({ value, until, onHide }: RevealedProps) {
  const left = Math.ceil(until - useNow());
  useEffect(() => {
    if (left <= 0) onHide();
  }, [left, onHide]);
  return (
    <>
      <SecretValue label={texts.value} value={value} />
      <p className="hint">{texts.hides(Math.max(0, left))}</p>
    </>
  );
}
