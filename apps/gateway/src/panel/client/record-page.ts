import { isUnauthorized, textOf } from '../../page-client/error-text.js';
import { element, paragraph } from '../../page-client/elements.js';
import { announce, find } from '../../page-client/page-parts.js';
import { FileList } from './file-list.js';
import { KeyForm } from './key-form.js';
import { KeyNeeded, PanelSession } from './panel-session.js';
import { Uploads } from './uploads.js';

/** Keeps what the panel shows: the key of the vault, uploads, and the files of the record. */
export class RecordPage {
  readonly #key: KeyForm;
  readonly #files: FileList;
  readonly #uploads: Uploads;
  readonly #problem = element('p', { class: 'problem', role: 'alert', hidden: '' });

  constructor(private readonly session: PanelSession) {
    const run = (work: () => Promise<void>) => this.#run(work);
    this.#key = new KeyForm(session, { run, onOpen: () => this.#uploads.resume() });
    this.#files = new FileList(session, run);
    this.#uploads = new Uploads(session, { run, files: this.#files });
  }

  async show(): Promise<void> {
    const title = `Files of ${this.session.record}`;
    const heading = element('h1', { tabindex: '-1' }, title);
    const top = element('div', { class: 'top' }, heading, this.#uploads.chooser);
    const parts = [this.#problem, this.#key.element, this.#uploads.element, this.#files.element];
    find('stage').replaceChildren(top, ...parts);
    document.title = `${title} · vaultsvc`;
    this.#uploads.acceptDrops(document.body);
    setTimeout(() => this.#end(), this.session.expiresAt * 1_000 - Date.now());
    await this.#run(() => this.#files.load());
  }

  /** Runs work of a button: asks for the key where it is needed, and shows what went wrong above the files. */
  async #run(work: () => Promise<void>): Promise<void> {
    this.#showProblem('');
    try {
      await work();
    } catch (error) {
      if (error instanceof KeyNeeded) return this.#key.ask();
      if (isUnauthorized(error)) return this.#end();
      this.#showProblem(textOf(error));
    }
  }

  #showProblem(text: string): void {
    this.#problem.textContent = text;
    this.#problem.hidden = text === '';
  }

  /** Uploads that have begun go on: Forge has given each its own URL. */
  #end(): void {
    if (document.querySelector('.ended')) return;
    const text = 'This panel has closed, as it does after 15 minutes. Reload the record in your CRM.';
    const notice = element('div', { class: 'ended problem', role: 'alert' }, paragraph(text));
    this.session.seal();
    this.#key.element.remove();
    this.#uploads.chooser.remove();
    this.#files.close();
    find('stage').prepend(notice);
    announce(text);
  }
}
