import { useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../session/session-context.js';
import { keysTexts as texts } from '../../texts/keys.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { toast } from '../../ui/toast.js';
import { keysKey } from './use-keys.js';

interface Props {
  readonly id: string;
  readonly name: string;
  readonly onRevoked?: () => void;
  readonly onClose: () => void;
}

export function RevokeDialog({ id, name, onRevoked, onClose }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const revoke = async () => {
    await client.DELETE('/v1/api-keys/{api_key_id}', { params: { path: { api_key_id: id } } });
    await queries.invalidateQueries({ queryKey: keysKey });
    toast(texts.revokedToast);
    onRevoked?.();
  };
  return (
    <ConfirmDialog
      title={texts.revokeTitle}
      text={texts.revokeText(name)}
      confirm={texts.revoke}
      act={revoke}
      onClose={onClose}
    />
  );
}
