import type { InteractionAction, InteractionOffer } from '@vaultsvc/contracts/sparks';
import type { InteractionReceipt } from '@vaultsvc/contracts/notify';
import { actions, button, element, paragraph, setDisabled } from '../../page-client/elements.js';
import { type LinkApi, LinkError } from './link-api.js';
import { copyText, saveAs } from './keep-content.js';
import { announce } from './screen.js';

type Answer = Exclude<InteractionAction, 'view'>;

const labels: Readonly<Record<Answer, readonly [button: string, done: string]>> = {
  acknowledge: ['Acknowledge', 'You have acknowledged this.'],
  sign: ['Sign', 'You have signed this.'],
  approve: ['Approve', 'You have approved this.'],
  deny: ['Deny', 'You have denied this.'],
  reply: ['Send the reply', 'Your reply has been sent.'],
};
const REPLY_MAX = 10_000;

/** Asks for the action that the sender of a notification requests, below the opened content (NTF-46, OPEN-64). */
export function interactionPanel(offer: InteractionOffer | undefined, link: LinkApi): Node[] {
  if (!offer?.is_requested) return [];
  const panel = element('section', { 'aria-label': 'Your answer' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const reply = element('textarea', { id: 'reply', rows: '4', maxlength: String(REPLY_MAX) });
  const allowed = offer.actions.filter((action): action is Answer => Object.hasOwn(labels, action));
  const send = async (action: Answer) => {
    problem.textContent = '';
    if (action === 'reply' && !reply.value) {
      problem.textContent = 'Please write a reply.';
      return reply.focus();
    }
    buttons.forEach((one) => setDisabled(one, true));
    try {
      showReceipt(panel, action, await link.interact(offer, action, reply.value));
    } catch (error) {
      problem.textContent = problemOf(error);
      buttons.forEach((one) => setDisabled(one, false));
    }
  };
  const nameOf = (action: Answer) =>
    action === 'deny' && allowed.includes('sign') ? 'Decline' : labels[action][0];
  const buttons = allowed.map((action) =>
    button(nameOf(action), () => void send(action), action === 'deny' ? 'quiet' : ''),
  );
  panel.append(
    ...(allowed.includes('reply') ? [element('label', { for: 'reply' }, 'Your reply'), reply] : []),
    ...(allowed.includes('deny') ? boundTo(offer.action_hash) : []),
    problem,
    actions(...buttons),
  );
  return [panel];
}

function boundTo(hash: string): Node[] {
  return [paragraph('Your answer is bound to this content: SHA-256'), element('p', { class: 'url' }, hash)];
}

function showReceipt(panel: HTMLElement, action: Answer, { jws }: InteractionReceipt): void {
  const done = element('h2', { tabindex: '-1' }, labels[action][1]);
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

/** Repeating an action is safe: the service returns the first receipt. */
function problemOf(error: unknown): string {
  const status = error instanceof LinkError ? error.status : 0;
  if (status === 409) return 'You have already answered differently. The first answer counts.';
  if (status === 401) return 'This page can no longer send an answer: it was opened more than 24 hours ago.';
  if (status === 403) return 'The sender does not ask for this answer.';
  if (status === 400) return 'This answer does not fit the content that was opened.';
  if (status === 429) return 'Too many requests came from your network. Try again in a minute.';
  return 'Your answer did not get through. Please try again.';
}
