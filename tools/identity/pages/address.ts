import type { InvalidAccount } from '../accounts.ts';
import { escapeHtml, page } from './page.ts';

export interface AddressForm {
  /** What the person entered. */
  input: { email?: string; name?: string };
  problem?: InvalidAccount;
}

/** The form that asks for the e-mail address. It works without a script. */
export function addressPage({ input, problem, formTargets }: AddressForm & { formTargets: string[] }) {
  const field = (name: 'email' | 'name') => attributes(name, input[name], problem);
  const body = `<h1>Who are you?</h1>
<p>Enter any e-mail address. An address that is new here creates a new person.</p>
<form method="post" novalidate>
${problem ? `<p class="problem" id="problem" role="alert">${escapeHtml(sentence(problem))}</p>` : ''}
<label for="email">E-mail address</label>
<input id="email" type="email" autocomplete="email" required maxlength="254"${field('email')}>
<label for="name">Name <small>(optional)</small></label>
<input id="name" type="text" autocomplete="name" maxlength="255"${field('name')}>
<div class="actions"><button>Continue</button></div>
</form>`;
  return page({
    title: `${problem ? 'Problem: ' : ''}Local sign-in`,
    body,
    formTargets: ["'self'", ...formTargets],
  });
}

/** Focuses the invalid field, otherwise the first one. */
function attributes(name: 'email' | 'name', value = '', problem?: InvalidAccount) {
  const isWrong = problem?.field === name;
  const wrong = isWrong ? ' aria-invalid="true" aria-describedby="problem"' : '';
  const focus = name === (problem?.field ?? 'email') ? ' autofocus' : '';
  return ` name="${name}" value="${escapeHtml(value)}"${wrong}${focus}`;
}

function sentence({ field, reason }: InvalidAccount) {
  const names = { email: 'The e-mail address', email_verified: 'The verification', name: 'The name' };
  return reason.startsWith('must') ? `${names[field]} ${reason}.` : `Please ${reason}.`;
}
