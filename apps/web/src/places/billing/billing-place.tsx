import { useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { billingTexts as texts } from '../../texts/billing.js';
import { Page } from '../../ui/page.js';
import { Refused } from '../../ui/states.js';
import { InvoicesSection } from './invoices-section.js';
import { MethodsSection } from './methods-section.js';
import { SubscriptionSection } from './subscription-section.js';
import '../../styles/billing.css';

/** Plan, seats and blocks, invoices and payment methods. */
export function Place() {
  return <BillingPage />;
}

interface Props {
  /** The dialog that is open at first. */
  readonly begins?: 'seats';
  /** That has been closed. */
  readonly onEnd?: () => void;
}

export function BillingPage({ begins, onEnd }: Props) {
  const canManage = isManager(useMember());
  return (
    <Page title={texts.title} hint={texts.hint}>
      {canManage ? (
        <div className="sections">
          <SubscriptionSection begins={begins} onEnd={onEnd} />
          <InvoicesSection />
          <MethodsSection />
        </div>
      ) : (
        <Refused text={texts.refused} />
      )}
    </Page>
  );
}
