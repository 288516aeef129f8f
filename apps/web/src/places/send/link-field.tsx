import { useId } from 'react';
import { sentLinkTexts as texts } from '../../texts/send.js';

/** A link to read and select. It is no link to press: opening it would use it up. */
export function LinkField({ url }: { readonly url: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{texts.link}</label>
      <span className="hint" id={`${id}-hint`}>
        {texts.linkHint}
      </span>
      <input
        id={id}
        aria-describedby={`${id}-hint`}
        readOnly
        dir="ltr"
        translate="no"
        value={url}
        onFocus={({ target }) => target.select()}
      />
    </div>
  );
}
