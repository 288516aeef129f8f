import { secretsTexts as texts } from '../../../texts/secrets.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { focusHeadingAfterDialog } from '../../../ui/page.js';
import { toast } from '../../../ui/toast.js';
import { useChangeSecrets } from './use-secrets.js';

interface Props {
  readonly ingotId: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Asks before a secret is deleted. */
export function DeleteSecret({ ingotId, name, onClose }: Props) {
  const change = useChangeSecrets(ingotId);
  const act = async () => {
    await change({ delete: [name] });
    toast(texts.deleted);
  };
  const close = () => {
    onClose();
    focusHeadingAfterDialog();
  };
  return (
    <ConfirmDialog
      title={texts.deleteTitle}
      text={texts.deleteText(name)}
      confirm={texts.delete}
      act={act}
      onClose={close}
    />
  );
}
