import { useState, type ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { errorText } from '../api/error-text.js';
import { commonTexts } from '../texts/common.js';
import { Button } from './button.js';
import { Problem } from './states.js';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * The one pattern of a dialog: a heading, content, buttons. Escape closes it and a press outside does not, so that nothing typed is lost;
 * the focus returns to where it was.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
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

interface ConfirmProps {
  readonly title: string;
  /** The consequence. */
  readonly text: string;
  /** A verb. */
  readonly confirm: string;
  readonly act: () => Promise<void>;
  readonly onClose: () => void;
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
