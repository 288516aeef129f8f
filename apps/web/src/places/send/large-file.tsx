import { useNavigate } from '@tanstack/react-router';
import { letWait } from '../../api/waiting-file.js';
import { useMember } from '../../session/session-context.js';
import { sendTexts } from '../../texts/send.js';
import { Button } from '../../ui/button.js';
import { draftStore } from './draft.js';
import { FILE_BYTES_MAX } from './limits.js';

/** Leads a file that is too large for a Spark to the vaults, where it waits until one is open. */
export function LargeFile({ file }: { readonly file: File }) {
  const navigate = useNavigate();
  const { seat } = useMember();
  const go = () => {
    letWait(file);
    draftStore.update({ file: undefined });
    void navigate({ to: '/vaults' });
  };
  return (
    <>
      <p className="remark" role="status">
        {sendTexts.fileTooLarge(file.size, FILE_BYTES_MAX)} {seat === 'viewer' && sendTexts.fileNeedsSeat}
      </p>
      {seat !== 'viewer' && (
        <Button icon="vault" onPress={go}>
          {sendTexts.fromVault}
        </Button>
      )}
    </>
  );
}
