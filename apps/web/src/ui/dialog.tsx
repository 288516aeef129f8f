import { useEffect, useState, type ReactNode, type SubmitEvent } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { errorText } from '../api/error-text.js';
import { commonTexts } from '../texts/common.js';
import { Button } from './button.js';
import { focusHeading } from './page.js';
import { Problem } from './states.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The one pattern of a dialog: a heading, content, buttons. Escape closes it and a press outside does not, so that nothing typed is lost;
 * the focus returns to where it was, or to the heading of the page if the row of the opener has gone.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  useEffect(() => () => void setTimeout(focusHeadingIfLost, FOCUS_RETURNS_MS), []);
  return (
    <ModalOverlay className="overlay" isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="modal">
        <AriaDialog className="dialog">
          <Heading slot="title">{title}</Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** React Aria gives the focus back within a frame. */
const FOCUS_RETURNS_MS = 100;

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
  /** A verb. */
  readonly submit: string;
  readonly isDisabled?: boolean;
  readonly act: () => Promise<void>;
  /** What is said about a refusal, if not the sentence of the API. */
  readonly explain?: (error: unknown) => ReactNode;
}

/** A form in a dialog; a refusal is said in it, and keeps what was typed. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, isDisabled, act, onClose, explain = errorText, children } = props;
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
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isBusy && !isDisabled) void run();
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
