import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../api/query-keys.js';
import { useClient } from '../../session/session-context.js';
import { sentTexts as texts } from '../../texts/sent.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { toast } from '../../ui/toast.js';
import type { SentRow } from './sent-row.js';
import { withdrawFileLink } from './withdraw-file-link.js';

interface Props {
  readonly row: SentRow;
  readonly onClose: () => void;
}

/** Asks before a Spark is deleted with its link, or a link of a file withdrawn. */
export function Withdrawal({ row: { sparkId, fileLink }, onClose }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const withdraw = async () => {
    if (fileLink) return (await withdrawFileLink(client, fileLink)) ? texts.withdrawnLink : texts.linkGone;
    await client.DELETE('/v1/sparks/{spark_id}', { params: { path: { spark_id: sparkId ?? '' } } });
    return texts.withdrawn;
  };
  const act = async () => {
    const said = await withdraw();
    await queries.invalidateQueries({ queryKey: queryKeys.sent });
    toast(said);
  };
  return (
    <ConfirmDialog
      title={fileLink ? texts.withdrawLinkTitle : texts.withdrawTitle}
      text={fileLink ? texts.withdrawLinkText : texts.withdrawText}
      confirm={texts.withdraw}
      act={act}
      onClose={onClose}
    />
  );
}
