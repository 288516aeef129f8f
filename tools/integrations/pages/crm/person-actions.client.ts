import { post } from '../page-server.client.ts';
import type { PersonChoice } from '../person-choice.client.ts';

/** The first CRM calls an installation a portal, the second one an org. */
export type Crm = 'crma' | 'crmb';

/** What the chosen person does, as the CRM sends it to the app. */
export class PersonActions {
  readonly #crm: Crm;
  readonly #person: PersonChoice;

  constructor(crm: Crm, person: PersonChoice) {
    this.#crm = crm;
    this.#person = person;
  }

  openRecord(type: string, id: string) {
    return this.#proxy('resolve', { object_type: type, record_id: id });
  }

  uninstall() {
    const { installationId } = this.#person;
    if (this.#crm === 'crmb')
      return this.#proxy('webhooks', { event: 'app.uninstall', org_id: installationId });
    const event = { subscriptionType: 'app.deauthorize', portalId: Number(installationId) };
    return post('/_send/webhook', [event]);
  }

  #proxy(path: string, body: object) {
    const { installationId, userId } = this.#person;
    const installation = this.#crm === 'crma' ? { portalId: installationId } : { orgId: installationId };
    return post('/_send/proxy', { path, ...installation, userId, body });
  }
}
