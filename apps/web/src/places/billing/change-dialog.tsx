import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useState, type SubmitEvent } from 'react';
import { useClient } from '../../session/session-context.js';
import { billingTexts as texts } from '../../texts/billing.js';
import { commonTexts } from '../../texts/common.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Problem } from '../../ui/states.js';
import { toast } from '../../ui/toast.js';
import { billingErrorText, isPreviewOver } from './billing-error-text.js';
import { ChangeField } from './change-field.js';
import { CostPreview } from './cost-preview.js';
import { changeOf, type ChangedItem } from './change-of.js';
import { billingKeys, useShowChange, type Subscription } from './use-billing.js';

export type { ChangedItem } from './change-of.js';

interface Props {
  readonly subscription: Subscription;
  readonly item: ChangedItem;
  readonly onClose: () => void;
}

/** Changes plan, seats or blocks in two steps: the cost is shown, then confirmed as it was shown. */
export function ChangeDialog({ subscription, item, onClose }: Props) {
  const [value, setValue] = useState(String(subscription[item]));
  const { preview, isBusy, error, see, buy, forget } = useChange(onClose);
  const change = changeOf(item, value);
  const isUnchanged = value.trim() === String(subscription[item]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !change || isUnchanged) return;
    void (preview ? buy(change, preview) : see(change));
  };
  const edit = (next: string) => {
    setValue(next);
    forget();
  };
  return (
    <Dialog title={texts.changeTitles[item]} onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        <ChangeField
          subscription={subscription}
          item={item}
          value={value}
          isWrong={!change}
          onChange={edit}
        />
        <div role="status">{preview && <CostPreview preview={preview} item={item} />}</div>
        {error !== undefined && <Problem>{billingErrorText(error)}</Problem>}
        <div className="actions">
          <Button type="submit" isBusy={isBusy} isDisabled={!change || isUnchanged}>
            {preview ? texts.confirm : texts.seeCost}
          </Button>
          <Button kind="quiet" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type Change = NonNullable<ReturnType<typeof changeOf>>;
type Preview = Schema<'AdjustmentPreview'>;

/** The two calls. A cost that does not hold any more is forgotten, and asked for again by the person. */
function useChange(onClose: () => void) {
  const client = useClient();
  const queries = useQueryClient();
  const show = useShowChange();
  const [preview, setPreview] = useState<Preview>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (thrown) {
      setError(thrown);
      if (!isPreviewOver(thrown)) return;
      setPreview(undefined);
      void queries.invalidateQueries({ queryKey: billingKeys.subscription });
    } finally {
      setBusy(false);
    }
  };
  const see = (change: Change) =>
    attempt(async () => {
      const { data } = await client.POST('/v1/billing/subscription/adjust/preview', { body: change });
      setPreview(data);
    });
  const buy = (change: Change, { version, as_of }: Preview) =>
    attempt(async () => {
      const body = { ...change, version, as_of };
      const { data } = await client.POST('/v1/billing/subscription/adjust', { body });
      await show(data.subscription);
      toast(texts.changed);
      onClose();
    });
  const forget = () => {
    setPreview(undefined);
    setError(undefined);
  };
  return { preview, isBusy, error, see, buy, forget };
}
