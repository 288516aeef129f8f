import { useNavigate } from '@tanstack/react-router';
import { PeoplePage } from './people-place.js';

/** People with the invitation open: where the command palette leads. */
export function Place() {
  const navigate = useNavigate();
  return <PeoplePage begins="invite" onEnd={() => void navigate({ to: '/people', replace: true })} />;
}
