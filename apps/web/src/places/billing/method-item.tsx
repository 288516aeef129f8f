import { useQueryClient } from '@tanstack/react-query';
import { useClient } from '../../session/session-context.js';
import { billingTexts as texts } from '../../texts/billing.js';
import { commonTexts } from '../../texts/common.js';
import { billingErrorText } from './billing-error-text.js';
import { Button } from '../../ui/button.js';
import { dateText } from '../../ui/format.js';
import { Badge, Row } from '../../ui/list.js';
import { focusHeading } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { billingKeys, type PaymentMethod } from './use-billing.js';
import { useWork } from '../../ui/use-work.js';

interface Props {
  readonly method: PaymentMethod;
  readonly onRemove: () => void;
}

/** A payment method, by what people know of it. */
export function MethodItem({ method, onRemove }: Props) {
  const client = useClient();
  const queries = useQueryClient();
  const { isBusy, run, problem } = useWork(billingErrorText);
  const { payment_method_id: id, is_default: isDefault } = method;
  const name = nameOf(method);
  const makeDefault = async () => {
    const params = { path: { payment_method_id: id } };
    await client.PUT('/v1/billing/payment-methods/{payment_method_id}/default', { params });
    await queries.invalidateQueries({ queryKey: billingKeys.methods });
    toast(texts.defaultChanged);
    // The button, which had the focus, is gone.
    focusHeading();
  };
  return (
    <>
      <Row
        title={<bdi>{name}</bdi>}
        state={isDefault && <Badge kind="good">{texts.isDefault}</Badge>}
        details={detailsOf(method).join(' · ')}
        actions={
          <>
            {!isDefault && (
              <Button
                kind="quiet"
                label={commonTexts.actionOn(texts.makeDefault, name)}
                isBusy={isBusy}
                onPress={() => run(makeDefault)}
              >
                {texts.makeDefault}
              </Button>
            )}
            <Button kind="quiet" label={commonTexts.actionOn(texts.remove, name)} onPress={onRemove}>
              {texts.remove}
            </Button>
          </>
        }
      />
      {problem}
    </>
  );
}

function nameOf({ label, brand, type, last4 }: PaymentMethod): string {
  const kind = brand ?? texts.methodTypes[type] ?? type;
  const name = label ?? kind;
  return last4 === null ? name : `${name}, ${texts.ending(last4)}`;
}

function detailsOf(method: PaymentMethod): readonly string[] {
  const { type, exp_month: month, exp_year: year, created_at: created } = method;
  return [
    texts.methodTypes[type] ?? type,
    ...(month === null || year === null ? [] : [texts.expires(month, year)]),
    texts.added(dateText(created)),
  ];
}
