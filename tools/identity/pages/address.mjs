import { escapeHtml, page } from './page.mjs';

/**
 * Asks who is signing in. Works without a script.
 * @param {object} options
 * @param {{ email?: string, name?: string }} options.typed what was sent before, to be mended
 * @param {import('../accounts.mjs').BadAccount} [options.problem] with it
 * @param {string[]} options.formTargets
 */
export function addressPage({ typed, problem, formTargets }) {
  const field = (/** @type {'email' | 'name'} */ name) => attributes(name, typed[name], problem);
  const body = `<h1>Who are you?</h1>
<p>Type any e-mail address. An address that nobody used before is a new person.</p>
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

/** The first field, or the wrong one, has the cursor. */
function attributes(name, value = '', problem) {
  const isWrong = problem?.field === name;
  const wrong = isWrong ? ' aria-invalid="true" aria-describedby="problem"' : '';
  const focus = name === (problem?.field ?? 'email') ? ' autofocus' : '';
  return ` name="${name}" value="${escapeHtml(value)}"${wrong}${focus}`;
}

function sentence({ field, why }) {
  const names = { email: 'The e-mail address', name: 'The name' };
  return why.startsWith('must') ? `${names[field]} ${why}.` : `Please ${why}.`;
}
