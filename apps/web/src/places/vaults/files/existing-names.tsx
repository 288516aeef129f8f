import { errorText } from '../../../api/error-text.js';
import { uploadTexts as texts } from '../../../texts/files.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Problem } from '../../../ui/states.js';

const SHOWN = 5;

interface Props {
  readonly names: readonly string[];
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onReplace: () => void;
  readonly onKeepBoth: () => void;
  readonly onSkip: () => void;
}

/** Asks before uploads replace files. */
export function ExistingNames({ names, isBusy, error, onReplace, onKeepBoth, onSkip }: Props) {
  return (
    <Dialog title={texts.existsTitle} onClose={onSkip}>
      <p>{texts.exists(names.length)}</p>
      <ul>
        {names.slice(0, SHOWN).map((name, index) => (
          <li key={index}>
            <bdi>{name}</bdi>
          </li>
        ))}
        {names.length > SHOWN && <li>{texts.andMore(names.length - SHOWN)}</li>}
      </ul>
      <p className="hint">{texts.replaceHint}</p>
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
      <div className="actions">
        <Button isBusy={isBusy} onPress={onKeepBoth}>
          {texts.keepBoth}
        </Button>
        <Button kind="danger" onPress={onReplace}>
          {texts.replace}
        </Button>
        <Button kind="quiet" onPress={onSkip}>
          {texts.skip}
        </Button>
      </div>
    </Dialog>
  );
}
