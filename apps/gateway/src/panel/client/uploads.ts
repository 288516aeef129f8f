import { button, element } from '../../page-client/elements.js';
import { announce } from '../../page-client/page-parts.js';
import type { FileList } from './file-list.js';
import { KeyNeeded, type PanelSession } from './panel-session.js';
import { UploadRow } from './upload-row.js';

interface Surroundings {
  readonly run: (work: () => Promise<void>) => Promise<void>;
  readonly files: FileList;
}

/** Files that are chosen or dropped, and their uploads, one after the other. */
export class Uploads {
  readonly element = element('ul', { class: 'files', 'aria-label': 'Uploads', hidden: '' });
  readonly chooser: HTMLElement;
  #queue: Promise<void> = Promise.resolve();
  #waiting: readonly File[] = [];

  constructor(
    private readonly session: PanelSession,
    private readonly around: Surroundings,
  ) {
    const field = element('input', { type: 'file', multiple: '', hidden: '', 'aria-label': 'Files to add' });
    field.addEventListener('change', () => {
      this.#add([...(field.files ?? [])]);
      field.value = '';
    });
    this.chooser = element(
      'div',
      {},
      button('Add files', () => field.click()),
      field,
    );
    addEventListener('beforeunload', (event) => {
      if (this.element.childElementCount > 0) event.preventDefault();
    });
  }

  /** Takes files that are dropped on the panel. */
  acceptDrops(target: HTMLElement): void {
    const mark = (isOver: boolean) => target.classList.toggle('dropping', isOver);
    target.addEventListener('dragover', (event) => {
      event.preventDefault();
      mark(true);
    });
    target.addEventListener('dragleave', () => mark(false));
    target.addEventListener('drop', (event) => {
      event.preventDefault();
      mark(false);
      if (this.chooser.isConnected) this.#add([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** Uploads what was chosen before the vault was open. */
  resume(): void {
    const files = this.#waiting;
    this.#waiting = [];
    this.#add(files);
  }

  #add(files: readonly File[]): void {
    if (files.length > 0 && !this.session.isUnsealed) {
      this.#waiting = files;
      void this.around.run(() => Promise.reject(new KeyNeeded()));
      return;
    }
    for (const file of files) {
      const row = new UploadRow(file, this.session, this.around.files.has(file.name));
      this.element.append(row.element);
      this.element.hidden = false;
      this.#queue = this.#queue.then(() => this.#finish(row));
    }
  }

  async #finish(row: UploadRow): Promise<void> {
    const isStored = await row.finish();
    row.element.remove();
    this.element.hidden = this.element.childElementCount === 0;
    if (isStored) announce(`${row.name} is stored.`);
    await this.around.run(() => this.around.files.load());
  }
}
