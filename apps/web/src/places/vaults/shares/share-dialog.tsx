import { useState } from 'react';
import { commonTexts } from '../../../texts/common.js';
import { sharesTexts as texts } from '../../../texts/shares.js';
import { Button } from '../../../ui/button.js';
import { Choice } from '../../../ui/choice.js';
import { Dialog } from '../../../ui/dialog.js';
import { DurableLink } from './durable-link.js';
import { OneTimeLink } from './one-time-link.js';

type Kind = 'once' | 'durable';

interface Props {
  readonly ingotId: string;
  readonly name: string;
  /** A link of either kind was made. */
  readonly onMade?: () => void;
  readonly onClose: () => void;
}

/** The links of a file: one that opens once, and one that stays. */
export function ShareDialog({ ingotId, name, onMade, onClose }: Props) {
  const [kind, setKind] = useState<Kind>('once');
  const [isShown, setShown] = useState(false);
  const show = (next: boolean) => {
    setShown(next);
    if (next) onMade?.();
  };
  return (
    <Dialog title={texts.title} onClose={isShown ? undefined : onClose}>
      <p>
        <bdi>{name}</bdi>
      </p>
      {!isShown && (
        <Choice<Kind>
          label={texts.kind}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'once', text: texts.once, hint: texts.onceHint },
            { value: 'durable', text: texts.durable, hint: texts.durableHint },
          ]}
        />
      )}
      {kind === 'once' ? (
        <OneTimeLink ingotId={ingotId} onShown={show} />
      ) : (
        <DurableLink ingotId={ingotId} onMade={onMade} />
      )}
      <Button kind="quiet" onPress={onClose}>
        {commonTexts.close}
      </Button>
    </Dialog>
  );
}
