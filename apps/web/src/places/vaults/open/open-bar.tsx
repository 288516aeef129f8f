import { useState } from 'react';
import { useClient } from '../../../session/session-context.js';
import { unsealTexts as texts } from '../../../texts/vault.js';
import { Button } from '../../../ui/button.js';
import { ConfirmDialog } from '../../../ui/dialog.js';
import { toast } from '../../../ui/toast.js';
import { idleSecondsLeft, WARNING_SECONDS } from './idle-lock.js';
import { closeVault, sealVault, type OpenVault } from './open-vaults.js';
import { useMayWrite, useNow } from './use-open-vault.js';

/** How long the vault stays open in this tab, and the two ways to close it. */
export function OpenBar({ vault: { vaultId, expiresAt } }: { readonly vault: OpenVault }) {
  const client = useClient();
  const [isAsking, setAsking] = useState(false);
  const mayWrite = useMayWrite();
  const seal = async () => {
    await sealVault(client, vaultId);
    toast(texts.sealed);
  };
  return (
    <section className="open-bar">
      <Countdown expiresAt={expiresAt} />
      <div className="row-actions">
        <Button kind="quiet" onPress={() => closeVault(vaultId, 'lock')}>
          {texts.lock}
        </Button>
        <Button kind="quiet" onPress={() => setAsking(true)}>
          {texts.sealButton}
        </Button>
      </div>
      {!mayWrite && <p className="remark">{texts.readOnly}</p>}
      {isAsking && (
        <ConfirmDialog
          title={texts.sealTitle}
          text={texts.sealText}
          confirm={texts.seal}
          act={seal}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

/** Only the warnings are read aloud; the time itself would be each minute. */
function Countdown({ expiresAt }: { readonly expiresAt: number }) {
  const left = expiresAt - useNow();
  const idle = idleSecondsLeft();
  const isIdle = idle < WARNING_SECONDS && idle < left;
  return (
    <div className="countdown">
      <p>{texts.left(left)}</p>
      <div role="status">
        {isIdle && <p className="remark">{texts.idleSoon(roundedUp(idle))}</p>}
        {!isIdle && left < WARNING_SECONDS && <p className="remark">{texts.endsSoon(roundedUp(left))}</p>}
      </div>
    </div>
  );
}

/** To minutes, so that a screen reader does not read each second. */
const roundedUp = (seconds: number) => Math.max(60, Math.ceil(seconds / 60) * 60);
