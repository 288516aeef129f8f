import { useNavigate } from '@tanstack/react-router';
import { BillingPage } from './billing-place.js';

/** Billing with the change of seats open: where the command palette leads. */
export function Place() {
  const navigate = useNavigate();
  return <BillingPage begins="seats" onEnd={() => void navigate({ to: '/billing', replace: true })} />;
}
