import { useNavigate } from '@tanstack/react-router';
import { KeysPage } from './keys-place.js';

/** API keys with the creation open: where the command palette leads. */
export function Place() {
  const navigate = useNavigate();
  return <KeysPage begins="create" onEnd={() => void navigate({ to: '/keys', replace: true })} />;
}
