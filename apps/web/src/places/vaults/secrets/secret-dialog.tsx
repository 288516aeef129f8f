import { useState, type SubmitEvent } from 'react';
import { useKept } from '../../../api/kept.js';
import { commonTexts } from '../../../texts/common.js';
import { secretsTexts as texts } from '../../../texts/secrets.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Field } from '../../../ui/field.js';
import { Problem } from '../../../ui/states.js';
import { toast } from '../../../ui/toast.js';
import { closeDraft, secretDraft } from './secret-draft.js';
import { changeProblem, useChangeSecrets } from './use-secrets.js';

interface Props {
  readonly ingotId: string;
  readonly keys: readonly string[];
}

/** Adds a secret, or changes one. After a refusal what was typed stays. */
export function SecretDialog({ ingotId, keys }: Props) {
  const { mode, ingotId: own, isChange } = useKept(secretDraft);
  if (mode !== 'set' || own !== ingotId) return null;
  return (
    <Dialog title={isChange ? texts.change : texts.add} onClose={closeDraft}>
      <SecretForm ingotId={ingotId} keys={keys} />
    </Dialog>
  );
}

function SecretForm({ ingotId, keys }: Props) {
  const { key, value, isChange } = useKept(secretDraft);
  const { isBusy, problem, isNameWrong, save } = useSaving(ingotId);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void save();
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      {isChange ? (
        <p>
          <bdi translate="no">{key}</bdi>
        </p>
      ) : (
        <NameField value={key} isWrong={isNameWrong} isTaken={keys.includes(key)} />
      )}
      <Field
        label={texts.value}
        hint={texts.valueHint}
        value={value}
        onChange={(text) => secretDraft.update({ value: text })}
        rows={3}
        isSecret
        autoFocus={isChange}
      />
      {problem !== undefined && <Problem>{problem}</Problem>}
      <div className="actions">
        <Button type="submit" isBusy={isBusy}>
          {texts.save}
        </Button>
        <Button kind="quiet" onPress={closeDraft}>
          {commonTexts.cancel}
        </Button>
      </div>
    </form>
  );
}

interface NameProps {
  readonly value: string;
  readonly isWrong: boolean;
  readonly isTaken: boolean;
}

function NameField({ value, isWrong, isTaken }: NameProps) {
  return (
    <>
      <Field
        label={texts.key}
        hint={texts.keyHint}
        value={value}
        onChange={(text) => secretDraft.update({ key: text })}
        problem={isWrong ? texts.keyProblem : undefined}
        maxLength={256}
        isSecret
        autoFocus
      />
      {isTaken && <p className="remark">{texts.replaces}</p>}
    </>
  );
}

/** Checks, saves, and says what is wrong. */
function useSaving(ingotId: string) {
  const change = useChangeSecrets(ingotId);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isNameWrong, setNameWrong] = useState(false);
  const save = async () => {
    const { key, value } = secretDraft.get();
    const isWrong = key === '' || key.includes(',');
    setNameWrong(isWrong);
    setProblem(undefined);
    if (isWrong || isBusy) return;
    setBusy(true);
    try {
      await change({ set: { [key]: value } });
      closeDraft();
      toast(texts.saved);
    } catch (error) {
      setProblem(changeProblem(error));
      setBusy(false);
    }
  };
  return { isBusy, problem, isNameWrong, save };
}
