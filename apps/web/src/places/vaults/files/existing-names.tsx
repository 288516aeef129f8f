import { uploadTexts as texts } from '../../../texts/files.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';

const SHOWN = 5;

interface Props {
  readonly names: readonly string[];
  readonly onReplace: () => void;
  readonly onSkip: () => void;
}

/** Asks before uploads replace files. */
export function ExistingNames({ names, onReplace, onSkip }: Props) {
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
      <div className="actions">
        <Button onPress={onReplace}>{texts.replace}</Button>
        <Button kind="quiet" onPress={onSkip}>
          {texts.skip}
        </Button>
      </div>
    </Dialog>
  );
}
