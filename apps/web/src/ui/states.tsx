import type { ReactNode } from 'react';
import { errorText } from '../api/error-text.js';
import { commonTexts } from '../texts/common.js';
import { Button } from './button.js';
import { Icon, type IconName } from './icon.js';

/** A place that has nothing yet: what will be here, and the button that begins it. */
export function Empty(props: {
  readonly icon: IconName;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="state">
      <Icon name={props.icon} />
      <p>{props.text}</p>
      {props.children}
    </div>
  );
}

/** What is still loading. Its text appears after a moment, so that a fast answer does not flicker. */
export function Loading() {
  return (
    <div className="state loading" role="status">
      <span className="spinner" aria-hidden="true" />
      <p>{commonTexts.loading}</p>
    </div>
  );
}

/** What could not be read, with a button that tries again. */
export function Failed({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  return (
    <div className="state" role="alert">
      <Icon name="warn" />
      <p>{errorText(error)}</p>
      <Button kind="quiet" onPress={retry}>
        {commonTexts.tryAgain}
      </Button>
    </div>
  );
}

/** What the person may not do, and who can change that. */
export function Refused({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className="state">
      <Icon name="person" />
      <h2>{commonTexts.refused}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

/** A problem beside the button that caused it; read aloud at once. */
export function Problem({ children }: { readonly children: ReactNode }) {
  return (
    <p className="problem" role="alert">
      {children}
    </p>
  );
}
