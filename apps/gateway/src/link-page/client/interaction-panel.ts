import type { InteractionAction, InteractionOffer } from '@vaultsvc/contracts/sparks';
import type { InteractionReceipt } from '@vaultsvc/contracts/notify';
import { actions, button, element, paragraph, setDisabled } from '../../page-client/elements.js';
import { type LinkApi, LinkError } from './link-api.js';
import { copyText, saveAs } from './keep-content.js';
import { announce } from './screen.js';

type Answer = Exclude<InteractionAction, 'view'>;
type Texts = readonly [button: string, done: string];

const labels: Readonly<Record<Answer, Texts>> = {
  acknowledge: ['Acknowledge', 'You have acknowledged this.'],
  sign: ['Sign', 'You have signed this.'],
  approve: ['Approve', 'You have approved this.'],
  deny: ['Deny', 'You have denied this.'],
  reply: ['Send the reply', 'Your reply has been sent.'],
};
const declined: Texts = ['Decline', 'You have declined to sign this.'];
const REPLY_MAX = 10_000;

/** Asks for the action that the sender of a notification requests, below the opened content (NTF-46, OPEN-64). */
export function interactionPanel(offer: InteractionOffer | undefined, link: LinkApi): Node[] {
  if (!offer?.is_requested) return [];
  const panel = element('section', { 'aria-label': 'Your answer' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const reply = element('textarea', { id: 'reply', rows: '4', maxlength: String(REPLY_MAX) });
  const allowed = offer.actions.filter((action): action is Answer => Object.hasOwn(labels, action));
  const mayReply = allowed.includes('reply');
  const maySign = allowed.includes('sign');
  const textsOf = (action: Answer) => (action === 'deny' && maySign ? declined : labels[action]);
  const disable = (isDisabled: boolean) => buttons.forEach((one) => setDisabled(one, isDisabled));
  const send = async (action: Answer) => {
    problem.textContent = mayReply && !reply.value ? 'Please write a reply.' : '';
    if (problem.textContent) return reply.focus();
    disable(true);
    announce('Sending your answer …');
    try {
      showReceipt(panel, textsOf(action)[1], await link.interact(offer, action, reply.value));
      letGo();
    } catch (error) {
      const status = error instanceof LinkError ? error.status : 0;
      announce('');
      problem.textContent = problems[status] ?? 'Your answer did not get through. Please try again.';
      if (status === 401 || status === 409) letGo();
      disable(false);
    }
  };
  const buttons = allowed.map((action) =>
    button(textsOf(action)[0], () => void send(action), action === 'deny' ? 'quiet' : ''),
  );
  panel.append(
    ...(mayReply ? [element('label', { for: 'reply' }, 'Your reply'), reply] : []),
    ...(allowed.includes('deny') ? boundTo(offer.action_hash, maySign ? 'signature' : 'decision') : []),
    problem,
    actions(...buttons),
  );
  return [panel];
}

/** Has the browser ask before the page is left until it is answered: what opens once cannot be answered later. */
export function askBeforeLeaving(offer: InteractionOffer | undefined): void {
  if (offer?.is_requested) addEventListener('beforeunload', ask);
}

const ask = (event: Event) => event.preventDefault();
/** The answer was given, or its time is over. */
const letGo = () => removeEventListener('beforeunload', ask);

function boundTo(hash: string, answer: string): Node[] {
  return [
    paragraph(`Your ${answer} is bound to this content: SHA-256`),
    element('p', { class: 'url' }, hash),
  ];
}

function showReceipt(panel: HTMLElement, title: string, { jws }: InteractionReceipt): void {
  const done = element('h2', { tabindex: '-1' }, title);
  const receipt = element('pre', { tabindex: '0', role: 'region', 'aria-label': 'The receipt' }, jws);
  const save = () => saveAs(new Blob([jws], { type: 'application/jose' }), 'receipt.jws');
  panel.replaceChildren(
    done,
    paragraph('This is your signed receipt.'),
    receipt,
    actions(
      button('Copy the receipt', () => void copyText(receipt)),
      button('Save the receipt', save, 'quiet'),
    ),
  );
  announce('');
  done.focus();
}

/** By status. Repeating an action is safe: the service returns the first receipt. */
const problems: Readonly<Record<number, string>> = {
  400: 'This answer does not fit the content that was opened.',
  401: 'This page can no longer send an answer: it was opened more than 24 hours ago.',
  403: 'The sender does not ask for this answer.',
  409: 'You have already answered differently. The first answer counts. Choose it to see its receipt.',
  429: 'Too many requests came from your network. Try again in a minute.',
};
