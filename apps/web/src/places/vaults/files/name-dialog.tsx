import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useKept } from '../../../api/kept.js';
import { commonTexts } from '../../../texts/common.js';
import { filesTexts as texts } from '../../../texts/files.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Field } from '../../../ui/field.js';
import { closeFileDialog, fileDialog } from './file-dialog.js';

interface Props {
  readonly title: string;
  readonly label: string;
  readonly save: string;
  readonly act: (name: string) => Promise<void>;
  readonly onDelete?: () => void;
}

/** Asks for a name. A refusal is said beside it, and the name stays. */
export function NameDialog({ title, label, save, act, onDelete }: Props) {
  const { text } = useKept(fileDialog);
  const { isBusy, problem, run } = useNaming(act);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy) void run();
  };
  return (
    <Dialog title={title} onClose={closeFileDialog}>
      <form className="stack" onSubmit={submit} noValidate>
        <Field
          label={label}
          value={text}
          onChange={(next) => fileDialog.update({ text: next })}
          problem={problem}
          maxLength={255}
          autoComplete="off"
          autoFocus
        />
        <div className="actions">
          <Button type="submit" isBusy={isBusy} isDisabled={text.trim() === ''}>
            {save}
          </Button>
          <Button kind="quiet" onPress={closeFileDialog}>
            {commonTexts.cancel}
          </Button>
          {onDelete && (
            <Button kind="quiet" onPress={onDelete}>
              {texts.deleteFolder}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

function useNaming(act: Props['act']) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const run = async () => {
    setBusy(true);
    try {
      await act(fileDialog.get().text);
      closeFileDialog();
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return { isBusy, problem, run };
}
