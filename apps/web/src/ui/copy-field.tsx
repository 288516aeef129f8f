import { useId, useState } from 'react';
import { commonTexts } from '../texts/common.js';
import { Button } from './button.js';
import { copy } from './copy.js';

interface Props {
  readonly label: string;
  readonly value: string;
  /** Names what is copied, where a page has several such buttons. */
  readonly copyLabel: string;
}

/** A text to copy elsewhere exactly, with its own button. */
export function CopyField({ label, value, copyLabel }: Props) {
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  const take = async () => setCopied(await copy(value));
  return (
    <div className="field copy-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        readOnly
        dir="ltr"
        translate="no"
        value={value}
        onFocus={({ target }) => target.select()}
      />
      <Button kind="quiet" icon={isCopied ? 'check' : 'copy'} onPress={() => void take()}>
        {isCopied ? commonTexts.copied : copyLabel}
      </Button>
    </div>
  );
}
