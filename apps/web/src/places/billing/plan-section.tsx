import { useId, useState, type ReactNode } from 'react';
import { useClient } from '../../session/session-context.js';
import { billingTexts as texts } from '../../texts/billing.js';
import { billingErrorText } from './billing-error-text.js';
import { Button } from '../../ui/button.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { dateText } from '../../ui/format.js';
import { Badge, type BadgeKind } from '../../ui/list.js';
import { focusHeading } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { leaveFor } from './leave-for.js';
import { moneyText } from './money-text.js';
import { useShowChange, type Subscription } from './use-billing.js';
import { useWork } from '../../ui/use-work.js';

const badges: Readonly<Record<Subscription['status'], BadgeKind>> = {
  active: 'good',
  past_due: 'bad',
  canceled: 'bad',
};

interface Props {
  readonly subscription: Subscription;
  /** Absent where it cannot be changed. */
  readonly onChange: (() => void) | undefined;
}

/** Plan, price and period; changes, cancels, keeps and starts it. */
export function PlanSection({ subscription, onChange }: Props) {
  const id = useId();
  const { plan, status, biller } = subscription;
  return (
    <section className="card stack" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>
          {texts.plan} <bdi>{plan}</bdi>
        </h2>
        <Badge kind={badges[status]}>{texts.statuses[status]}</Badge>
      </div>
      <Facts subscription={subscription} />
      {(biller === 'apple' || biller === 'google') && (
        <p className="remark">{texts.ofStore(texts.stores[biller])}</p>
      )}
      {status === 'past_due' && <p className="problem">{texts.pastDue}</p>}
      {status === 'canceled' && <StartAgain subscription={subscription} />}
      {onChange && <Changes subscription={subscription} onChange={onChange} />}
    </section>
  );
}

function Facts({ subscription }: { readonly subscription: Subscription }) {
  const { price, credit_balance: credit, status, current_period_end: end } = subscription;
  const facts: [string, ReactNode][] = [
    [texts.price, price.amount === 0 ? texts.free : texts.perPeriod(moneyText(price))],
    ...(status === 'active' ? [[texts.period, periodText(subscription)] as [string, ReactNode]] : []),
    ...(status === 'canceled' ? [[texts.period, texts.endedOn(dateText(end))] as [string, ReactNode]] : []),
    ...(credit.amount === 0 ? [] : [[texts.credit, creditText(credit)] as [string, ReactNode]]),
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} className="pair">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function periodText({ cancel_at_period_end: isEnding, current_period_end: end }: Subscription): string {
  return (isEnding ? texts.endsOn : texts.renewsOn)(dateText(end));
}

function creditText({ amount, currency }: Subscription['credit_balance']): string {
  const text = moneyText({ amount: Math.abs(amount), currency });
  return amount > 0 ? texts.creditNext(text) : texts.owed(text);
}

interface ChangesProps {
  readonly subscription: Subscription;
  readonly onChange: () => void;
}

function Changes({ subscription, onChange }: ChangesProps) {
  const renew = useRenewal();
  const [isCancelling, setCancelling] = useState(false);
  const { isBusy, run, problem } = useWork(billingErrorText);
  const { cancel_at_period_end: isEnding, price, current_period_end: end } = subscription;
  return (
    <>
      {problem}
      <div className="actions">
        <Button kind="quiet" onPress={onChange}>
          {texts.changePlan}
        </Button>
        {isEnding && (
          <Button isBusy={isBusy} onPress={() => run(() => renew(true))}>
            {texts.resume}
          </Button>
        )}
        {!isEnding && price.amount > 0 && (
          <Button kind="quiet" onPress={() => setCancelling(true)}>
            {texts.cancelPlan}
          </Button>
        )}
      </div>
      {isCancelling && (
        <Cancellation end={end} act={() => renew(false)} onClose={() => setCancelling(false)} />
      )}
    </>
  );
}

/** Has the plan end with its period, or renew after it. */
function useRenewal(): (isRenewed: boolean) => Promise<void> {
  const client = useClient();
  const show = useShowChange();
  return async (isRenewed) => {
    const body = { cancel_at_period_end: !isRenewed };
    const { data } = await client.POST('/v1/billing/subscription/adjust', { body });
    await show(data.subscription);
    toast(isRenewed ? texts.resumed : texts.cancelled);
    // The button, which had the focus, is gone.
    if (isRenewed) focusHeading();
  };
}

interface CancellationProps {
  readonly end: number;
  readonly act: () => Promise<void>;
  readonly onClose: () => void;
}

function Cancellation({ end, act, onClose }: CancellationProps) {
  return (
    <ConfirmDialog
      title={texts.cancelTitle}
      text={texts.cancelText(dateText(end))}
      confirm={texts.cancelPlan}
      act={act}
      onClose={onClose}
    />
  );
}

/** The same plan again, by the page of the payment provider, if it has one. */
function StartAgain({ subscription }: { readonly subscription: Subscription }) {
  const client = useClient();
  const show = useShowChange();
  const { isBusy, run, problem } = useWork(billingErrorText);
  const { plan, seats, storage_blocks, bandwidth_blocks } = subscription;
  const start = async () => {
    const { data } = await client.POST('/v1/billing/checkout', {
      body: { plan, seats, storage_blocks, bandwidth_blocks },
    });
    if (data.url !== null) return leaveFor(data.url);
    await show(data.subscription);
    toast(texts.started);
  };
  return (
    <>
      <p className="problem">{texts.ended}</p>
      {problem}
      <div className="actions">
        <Button isBusy={isBusy} onPress={() => run(start)}>
          {texts.startAgain}
        </Button>
      </div>
    </>
  );
}
