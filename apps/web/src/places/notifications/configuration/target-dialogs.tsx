import { useState } from 'react';
import { channelTexts } from '../../../texts/notifications.js';
import { notifyConfigTexts as texts } from '../../../texts/notify-config.js';
import { ConfirmDialog, FormDialog } from '../../../ui/dialog.js';
import { Field } from '../../../ui/field.js';
import { toast } from '../../../ui/toast.js';
import { useConfigChange } from './use-config-change.js';

export type Target = 'webhook' | 'slack' | 'teams';

interface Props {
  readonly target: Target;
  readonly onClose: () => void;
}

interface SecretProps {
  /** Gets a secret that was made, this once. */
  readonly onSecret: (secret: string | undefined) => void;
}

/** Sets an endpoint. The field is empty at first: a stored address is shown without its path. */
export function TargetDialog({ target, onSecret, onClose }: Props & SecretProps) {
  const store = useConfigChange();
  const [url, setUrl] = useState('');
  const act = async () => {
    const { targets } = await store({ targets: { [target]: { url: url.trim() } } });
    if (target === 'webhook') onSecret(targets?.webhook?.secret);
    toast(texts.saved);
  };
  return (
    <FormDialog
      title={texts.targetTitle(channelTexts[target])}
      submit={texts.save}
      isDisabled={url.trim() === ''}
      act={act}
      onClose={onClose}
    >
      <Field
        label={texts.url}
        hint={texts.urlHint}
        type="url"
        value={url}
        onChange={setUrl}
        maxLength={2_048}
        isSecret
        autoFocus
      />
    </FormDialog>
  );
}

export function RemoveTargetDialog({ target, onClose }: Props) {
  const store = useConfigChange();
  const act = async () => {
    await store({ targets: { [target]: null } });
    toast(texts.saved);
  };
  return (
    <ConfirmDialog
      title={texts.removeTargetTitle}
      text={texts.removeTargetText(channelTexts[target])}
      confirm={texts.remove}
      act={act}
      onClose={onClose}
    />
  );
}

/** Has the API make another secret; the address that is shown stays as it is stored. */
export function NewSecretDialog({
  url,
  onSecret,
  onClose,
}: SecretProps & { readonly url: string; readonly onClose: () => void }) {
  const store = useConfigChange();
  const act = async () => {
    const { targets } = await store({ targets: { webhook: { url, secret: null } } });
    onSecret(targets?.webhook?.secret);
  };
  return (
    <ConfirmDialog
      title={texts.newSecretTitle}
      text={texts.newSecretText}
      confirm={texts.newSecret}
      act={act}
      onClose={onClose}
    />
  );
}
