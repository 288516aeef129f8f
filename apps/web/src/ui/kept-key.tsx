import { useState, type ReactNode, type SubmitEvent } from 'react';
import { keptKeyTexts as texts } from '../texts/kept-key.js';
import { Button } from './button.js';
import { copy } from './copy.js';
import { Field } from './field.js';
import { focusHeading } from './page.js';
import { printText, saveText } from './save-text.js';
import { SecretValue } from './secret-value.js';

/** As many as nobody guesses or remembers by accident. */
const CHECKED_CHARACTERS = 6;

interface Props {
  readonly label: string;
  readonly value: string;
  /** What is saved or printed, with the name of the file. */
  readonly sheet: { readonly text: string; readonly name: string };
  readonly onKept: () => void;
  readonly children?: ReactNode;
}

/**
 * A key that is shown once. It is hidden before its last characters are asked, so that only somebody who has kept it
 * goes on.
 */
export function KeptKey({ label, value, sheet, onKept, children }: Props) {
  const [isHidden, setHidden] = useState(false);
  const show = () => {
    setHidden(false);
    focusHeading();
  };
  if (isHidden) return <Check value={value} onKept={onKept} onShow={show} />;
  return (
    <>
      <SecretValue label={label} value={value} />
      <div className="actions">
        <Button kind="quiet" icon="copy" onPress={() => void copy(value)}>
          {texts.copyKey}
        </Button>
        <Button kind="quiet" onPress={() => saveText(sheet.text, sheet.name)}>
          {texts.save}
        </Button>
        <Button kind="quiet" onPress={() => printText(sheet.text)}>
          {texts.print}
        </Button>
      </div>
      {children}
      <div className="actions">
        <Button onPress={() => setHidden(true)}>{texts.kept}</Button>
      </div>
    </>
  );
}

function Check({ value, onKept, onShow }: Pick<Props, 'value' | 'onKept'> & { readonly onShow: () => void }) {
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const isRight = typed.trim() === value.slice(-CHECKED_CHARACTERS);
    setWrong(!isRight);
    if (isRight) onKept();
  };
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <p>{texts.hidden}</p>
      <Field
        label={texts.check}
        hint={texts.checkHint}
        value={typed}
        onChange={setTyped}
        problem={isWrong ? texts.wrong : undefined}
        isSecret
        autoFocus
      />
      <div className="actions">
        <Button type="submit">{texts.continue}</Button>
        <Button kind="quiet" onPress={onShow}>
          {texts.showAgain}
        </Button>
      </div>
    </form>
  );
}
