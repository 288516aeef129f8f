import { isSameName } from '@vaultsvc/contracts/names';
import type { Ingot } from '@vaultsvc/contracts/vaults';
import { actions, element, paragraph } from '../../page-client/elements.js';
import { clockText, dateText, sizeText } from '../../page-client/format.js';
import { announce, busyButton } from '../../page-client/page-parts.js';
import { linkField } from './link-field.js';
import type { PanelSession } from './panel-session.js';

/** How soon a file in this state may have changed: Forge encrypts in seconds, an upload takes longer. */
const pollMs: Readonly<Partial<Record<Ingot['status'], number>>> = { encrypting: 2_000, uploading: 5_000 };

const states: Readonly<Partial<Record<Ingot['status'], string>>> = {
  uploading: 'not complete',
  encrypting: 'being encrypted',
  failed: 'failed; delete it and upload it again',
};

/** The files of the record, each with what can be done with it. */
export class FileList {
  readonly element = element('section', { 'aria-label': 'Files' });
  #files: readonly Ingot[] = [];
  /** By the text of their files. */
  #rows: ReadonlyMap<string, HTMLLIElement> = new Map();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(
    private readonly session: PanelSession,
    private readonly run: (work: () => Promise<void>) => Promise<void>,
  ) {}

  /** Reads the list, again until no file is being uploaded or encrypted, by this panel or another. */
  async load(): Promise<void> {
    this.#files = await this.session.files();
    if (this.#isClosed) return;
    this.#show();
    clearTimeout(this.#timer);
    const waits = this.#files.flatMap(({ status }) => pollMs[status] ?? []);
    if (waits.length > 0)
      this.#timer = setTimeout(() => void this.run(() => this.load()), Math.min(...waits));
  }

  /** Whether a file has this name, which does not depend on case. */
  has(name: string): boolean {
    return this.#files.some((file) => isSameName(file.name, name));
  }

  /** Takes the buttons away. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const row of this.element.querySelectorAll('.actions, .below')) row.remove();
  }

  /** A file that has not changed keeps its row, with the question or the link that it shows. */
  #show(): void {
    const rows = new Map(
      this.#files.map((file) => {
        const shown = textOfFile(file);
        return [shown, this.#rows.get(shown) ?? this.#row(file)];
      }),
    );
    const isSame = rows.size > 0 && [...rows.keys()].join() === [...this.#rows.keys()].join();
    this.#rows = rows;
    if (isSame) return;
    const empty = element('p', { class: 'empty' }, 'This record has no files yet. Add one, or drop it here.');
    this.element.replaceChildren(rows.size > 0 ? element('ul', { class: 'files' }, ...rows.values()) : empty);
  }

  #row(file: Ingot): HTMLLIElement {
    const below = element('div', { class: 'below' });
    const facts = [sizeText(file.size_bytes), dateText(file.updated_at), states[file.status]];
    const about = element(
      'div',
      {},
      element('bdi', { class: 'name' }, file.name),
      element('p', { class: 'hint' }, facts.filter((fact) => fact !== undefined).join(' · ')),
    );
    return element('li', {}, about, actions(...this.#buttons(file, below)), below);
  }

  #buttons(file: Ingot, below: HTMLElement): HTMLButtonElement[] {
    const work = (text: string, act: () => Promise<void>) => {
      const created = busyButton(text, () => this.run(act), 'quiet');
      created.setAttribute('aria-label', `${text} ${file.name}`);
      return created;
    };
    const remove = work('Delete', async () => this.#confirmDeletion(file, below));
    if (file.status === 'failed') return [remove];
    if (file.status !== 'active') return [];
    return [
      work('Download', () => this.#download(file, below)),
      work('Share', () => this.#share(file, below)),
      remove,
    ];
  }

  async #download({ ingot_id, name }: Ingot, below: HTMLElement): Promise<void> {
    const { download_url } = await this.session.download(ingot_id);
    announce(`${name} is being downloaded.`);
    openDownload(download_url, below);
  }

  async #share({ ingot_id, name }: Ingot, below: HTMLElement): Promise<void> {
    const { link_url, expires_at } = await this.session.share(ingot_id);
    const until = `${dateText(expires_at)}, ${clockText(expires_at)}`;
    const text = `Whoever opens this link gets the file, once, until ${until}. Send it to one person.`;
    below.replaceChildren(linkField(link_url, `Link to ${name}`), element('p', { class: 'hint' }, text));
    below.querySelector('input')?.select();
  }

  #confirmDeletion(file: Ingot, below: HTMLElement): void {
    const keep = busyButton('Keep', () => below.replaceChildren(), 'quiet');
    const yes = busyButton('Delete', () => this.run(() => this.#delete(file)), 'danger');
    const question = paragraph('Delete ', element('bdi', {}, file.name), '? It cannot be restored.');
    below.replaceChildren(question, actions(yes, keep));
    keep.focus();
  }

  async #delete({ ingot_id, name }: Ingot): Promise<void> {
    await this.session.delete(ingot_id);
    await this.load();
    announce(`${name} is deleted.`);
  }
}

/** Everything of a file that its row depends on. */
function textOfFile({ ingot_id, name, size_bytes, updated_at, status }: Ingot): string {
  return JSON.stringify([ingot_id, name, size_bytes, updated_at, status]);
}

/**
 * In a tab of its own, which the browser closes: Forge does not let frames show what it sends. Where the browser blocks that
 * tab, a link remains.
 */
function openDownload(url: string, below: HTMLElement): void {
  if (window.open(url)) return;
  const link = element('a', { href: url, target: '_blank' }, 'Start it here');
  below.replaceChildren(paragraph('Your browser has blocked the download. ', link));
}
