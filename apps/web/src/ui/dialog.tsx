import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { FocusEvent, ReactNode, SubmitEvent } from 'react';
import { createPortal } from 'react-dom';
import { errorText } from '../api/error-text.js';
import { commonTexts } from '../texts/common.js';
import { Button } from './button.js';
import { classNames } from './class-names.js';
import { focusHeading } from './page.js';
import { Problem } from './states.js';

interface DialogProps {
  readonly title: string;
  /** Without it Escape closes nothing: for what is shown once. */
  readonly onClose?: (() => void) | undefined;
  /** As wide as the window lets it. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/**
 * The one pattern of a dialog: a heading, content, buttons. Escape closes it and a press outside does not, so that nothing typed is lost;
 * the focus returns to where it was, or to the heading of the page if the row of the opener has gone.
 */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const id = useId();
  const element = useModal();
  useEffect(() => () => void setTimeout(focusHeadingIfLost), []);
  return createPortal(
    <dialog
      ref={element}
      className={classNames('dialog', isWide && 'wide')}
      aria-labelledby={id}
      tabIndex={-1}
      onBlur={keepFocus}
      // React passes on what bubbles from dialogs and file fields inside this one.
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose?.();
      }}
      // Browsers let a second Escape close what the first was refused.
      onClose={({ target, currentTarget }) => target === currentTarget && currentTarget.showModal()}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>,
    document.body,
  );
}

/**
 * A modal dialog of the browser, as long as it is in the page (HTML, `showModal`). The browser computes the layout once; a modal made by
 * scripts measured the page several times, and opened later over many files.
 */
function useModal() {
  const ref = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    // The browser would choose the first button, which may delete something.
    element.autofocus = !element.querySelector('[autofocus]');
    element.showModal();
    // Older ones ask only what is in the dialog.
    if (element.autofocus && document.activeElement !== element) element.focus();
    // Gives the focus back, which removing it would not.
    return () => element.close();
  }, []);
  return ref;
}

/** Where the focus goes on when it left the last field (to the bars of the browser), or its element has gone. */
function keepFocus({ relatedTarget, currentTarget }: FocusEvent<HTMLDialogElement>): void {
  if (relatedTarget === null && document.activeElement === document.body) currentTarget.focus();
}

function focusHeadingIfLost(): void {
  if (document.activeElement === document.body) focusHeading();
}

interface ConfirmProps {
  readonly title: string;
  /** The consequence. */
  readonly text: string;
  /** A verb. */
  readonly confirm: string;
  readonly act: () => Promise<void>;
  readonly onClose: () => void;
}

interface FormDialogProps extends DialogProps {
  readonly onClose: () => void;
  /** A verb. */
  readonly submit: string;
  readonly isDisabled?: boolean;
  /** Whether the fields are right, before `act`; else they show what is wrong. */
  readonly check?: () => boolean;
  readonly act: () => Promise<void>;
  /** What is said about a refusal, if not the sentence of the API. */
  readonly explain?: (error: unknown) => ReactNode;
}

/** A form in a dialog; a refusal is said in it, and keeps what was typed. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, isDisabled, check, act, onClose, explain = errorText, children } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await act();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy && !isDisabled && check?.() !== false) void run();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="stack" onSubmit={send} noValidate>
        {children}
        {error !== undefined && <Problem>{explain(error)}</Problem>}
        <div className="actions">
          <Button type="submit" isBusy={isBusy} isDisabled={isDisabled}>
            {submit}
          </Button>
          <Button kind="quiet" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks before what cannot be undone; a refusal is said in the dialog, which stays. */
export function ConfirmDialog({ title, text, confirm, act, onClose }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const run = async () => {
    setBusy(true);
    try {
      await act();
      onClose();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
      <div className="actions">
        <Button kind="danger" isBusy={isBusy} onPress={() => void run()}>
          {confirm}
        </Button>
        <Button kind="quiet" onPress={onClose}>
          {commonTexts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
