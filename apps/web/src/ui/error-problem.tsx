import { errorText, isPaymentRequired } from '../api/error-text.js';
import { commonTexts } from '../texts/common.js';
import { PlaceLink } from './place-link.js';
import { Problem } from './states.js';

/** A refusal beside the button that caused it; a full pool leads on to billing. */
export function ErrorProblem({ error }: { readonly error: unknown }) {
  return (
    <Problem>
      {errorText(error)}{' '}
      {isPaymentRequired(error) && <PlaceLink to="/billing">{commonTexts.toBilling}</PlaceLink>}
    </Problem>
  );
}
