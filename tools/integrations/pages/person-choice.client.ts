import { choice, labelled, type Option } from './elements.client.ts';
import type { Named } from './page-server.client.ts';

/** The fields that choose who acts: an installation of the app, and a person there. */
export class PersonChoice {
  readonly #installation: HTMLSelectElement;
  readonly #person: HTMLSelectElement;

  /** Both fields with their labels. */
  readonly elements: readonly HTMLElement[];

  /** @param label the provider's word for an installation */
  constructor(label: string, installations: readonly Named[], people: readonly Option[]) {
    this.#installation = choice(installations.map(({ id, name }): Option => [id, name]));
    this.#person = choice(people);
    this.elements = [labelled(label, this.#installation), labelled('You are', this.#person)];
  }

  get installationId() {
    return this.#installation.value;
  }

  get userId() {
    return this.#person.value;
  }

  onInstallation(listener: () => void) {
    this.#installation.addEventListener('change', listener);
  }
}
