import { ApiError } from '@vaultsvc/client';
import { isUnauthorized, textOf } from '../../page-client/error-text.js';
import { button, element, paragraph, setDisabled } from '../../page-client/elements.js';
import { clockText } from '../../page-client/format.js';
import { announce } from '../../page-client/page-parts.js';
import type { PanelSession } from './panel-session.js';

interface Surroundings {
  readonly run: (work: () => Promise<void>) => Promise<void>;
  /** Called when the vault is open. */
  readonly onOpen: () => void;
}

/** Asks for a key of the vault, and tells until when it is open. */
export class KeyForm {
  readonly element = element('section', { 'aria-label': 'Vault' });
  readonly #field = element('input', {
    id: 'key',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: '200',
    'aria-describedby': 'key-hint key-problem',
  });
  readonly #submit = element('button', {}, 'Unlock');
  readonly #problem = element('p', { class: 'problem', id: 'key-problem', role: 'alert', hidden: '' });
  readonly #form: HTMLFormElement;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly session: PanelSession,
    private readonly around: Surroundings,
  ) {
    const hint = 'The master key, or one that was delegated to you. It is used once and not kept.';
    this.#form = element(
      'form',
      { class: 'key', novalidate: '' },
      element('label', { for: 'key' }, 'Key of the vault'),
      element('div', { class: 'field' }, this.#field, this.#submit),
      element('p', { class: 'hint', id: 'key-hint' }, hint),
      this.#problem,
    );
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.around.run(() => this.#unseal());
    });
    this.#showForm();
  }

  /** Moves the focus to the field, for somebody who wants what needs the key. */
  ask(): void {
    this.#showForm();
    this.#showProblem('This needs a key of the vault.');
    this.#field.focus();
  }

  async #unseal(): Promise<void> {
    const key = this.#field.value.trim();
    if (key === '') return this.ask();
    setDisabled(this.#submit, true);
    try {
      const { expires_at } = await this.session.unseal(key);
      this.#field.value = '';
      this.#showOpen(expires_at);
      this.around.onOpen();
    } catch (error) {
      // A delegated key that is not valid is refused as the panel's own bearer is; the list tells them apart.
      if (isUnauthorized(error)) await this.session.files();
      this.#showProblem(isNoKey(error) ? 'This key is not valid. Copy it whole.' : textOf(error));
      this.#field.select();
    } finally {
      setDisabled(this.#submit, false);
    }
  }

  #showProblem(text: string): void {
    this.#problem.textContent = text;
    this.#problem.hidden = text === '';
    this.#field.setAttribute('aria-invalid', String(text !== ''));
  }

  #showForm(): void {
    clearTimeout(this.#timer);
    this.#showProblem('');
    this.element.replaceChildren(this.#form);
  }

  #showOpen(expiresAt: number): void {
    const lock = button('Lock', () => this.#lock(), 'quiet');
    const text = `Unlocked until ${clockText(expiresAt)}.`;
    this.element.replaceChildren(element('div', { class: 'open' }, paragraph(text), lock));
    this.#timer = setTimeout(() => this.#lock(), expiresAt * 1_000 - Date.now());
    lock.focus();
    announce(text);
  }

  #lock(): void {
    this.session.seal();
    this.#showForm();
    announce('Locked.');
  }
}

function isNoKey(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 401);
}
