import { useState } from 'react';
import { Failed, Loading } from '../../ui/states.js';
import { AmountsSection } from './amounts-section.js';
import { ChangeDialog, type ChangedItem } from './change-dialog.js';
import { PlanSection } from './plan-section.js';
import { useSubscription } from './use-billing.js';

interface Props {
  readonly begins: 'seats' | undefined;
  readonly onEnd: (() => void) | undefined;
}

/** The plan, and what was bought beyond it. */
export function SubscriptionSection({ begins, onEnd }: Props) {
  const [item, change] = useState<ChangedItem | undefined>(begins);
  const read = useSubscription();
  if (read.isPending) return <Loading />;
  if (read.isError) return <Failed error={read.error} retry={() => void read.refetch()} />;
  const close = () => {
    change(undefined);
    onEnd?.();
  };
  // A store changes its own plans, and one that has ended is started again first.
  const { biller, status } = read.data;
  const canChange = (biller === 'manual' || biller === 'stripe') && status !== 'canceled';
  return (
    <>
      <PlanSection subscription={read.data} onChange={canChange ? () => change('plan') : undefined} />
      <AmountsSection subscription={read.data} onChange={canChange ? change : undefined} />
      {item && canChange && <ChangeDialog subscription={read.data} item={item} onClose={close} />}
    </>
  );
}
