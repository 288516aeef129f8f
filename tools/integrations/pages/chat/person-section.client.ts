import { button, element, form, hint, labelled, row } from '../elements.client.ts';
import type { PersonChoice } from '../person-choice.client.ts';
import type { PersonActions } from './person-actions.client.ts';

/**
 * Where the visitor chooses a person, writes as that person and opens the home of the app.
 * @param problem shown below what is written
 */
export function personSection(person: PersonChoice, actions: PersonActions, problem: HTMLElement) {
  return element(
    'section',
    { 'aria-label': 'Person' },
    row(
      ...person.elements,
      button('Home of the app', () => void actions.openHome(), 'quiet'),
    ),
    messageForm(actions, problem),
    hint('Write /secret, /secret @bob or /secret #general, or anything else to the app.'),
  );
}

function messageForm(actions: PersonActions, problem: HTMLElement) {
  const text = element('input', { placeholder: '/secret @bob', value: '/secret' });
  return form(
    () => void actions.write(text.value),
    labelled('Message', text),
    element('button', {}, 'Send'),
    problem,
  );
}
