import { useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../../session/session-context.js';
import { vaultKeysTexts as texts } from '../../../texts/vault-keys.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { focusHeadingAfterDialog } from '../../../ui/page.js';
import { toast } from '../../../ui/toast.js';
import { vaultKeys } from '../open/vault-queries.js';
import { nameOfKey, type Dvak } from './key-row.js';

interface Props {
  readonly vaultId: string;
  readonly dvak: Dvak;
  readonly onClose: () => void;
}

/** Asks before a key is revoked. */
export function RevokeKey({ vaultId, dvak, onClose }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const act = async () => {
    const params = { path: { vault_id: vaultId, last4: dvak.last_4_chars } };
    await client.DELETE('/v1/vaults/{vault_id}/dvaks/{last4}', { params });
    await queries.invalidateQueries({ queryKey: vaultKeys.keys(vaultId) });
    toast(texts.revokedToast);
  };
  const close = () => {
    onClose();
    focusHeadingAfterDialog();
  };
  return (
    <ConfirmDialog
      title={texts.revokeTitle}
      text={texts.revokeText(nameOfKey(dvak))}
      confirm={texts.revoke}
      act={act}
      onClose={close}
    />
  );
}
