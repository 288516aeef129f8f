import { sendContent } from '../access/upload-content.js';
import type { CrmClient, CrmResponse } from './crm-client.js';

/** A panel of a record, as its page uses it. */
export class PanelClient {
  private constructor(
    private readonly crm: CrmClient,
    private readonly token: string,
  ) {}

  /** The ticket of a new panel. */
  static async ticket(crm: CrmClient, record: object, user = '101'): Promise<string> {
    const { panel_url } = (await crm.request('resolve', record, user)).data as { panel_url: string };
    return new URL(panel_url).hash.slice(1);
  }

  /** Opens the panel of a record for a person. */
  static async open(crm: CrmClient, record: object, user = '101'): Promise<PanelClient> {
    const { data } = await PanelClient.trade(crm, await PanelClient.ticket(crm, record, user));
    return new PanelClient(crm, data.token as string);
  }

  static trade(crm: CrmClient, ticket: string): Promise<CrmResponse> {
    return crm.send('panel/session', {}, bearer(ticket));
  }

  call(path: string, body: object = {}, token = this.token): Promise<CrmResponse> {
    return this.crm.send(`panel/${path}`, body, bearer(token));
  }

  async unseal(): Promise<string> {
    return (await this.call('unseal', { vmk: this.crm.vault.vmk })).data.vat as string;
  }

  /** Uploads a file and returns its id. */
  async upload(vat: string, name: string, content: string): Promise<string> {
    const body = { vat, name, size_bytes: Buffer.byteLength(content), content_type: 'text/plain' };
    const { data } = await this.call('upload', body);
    await sendContent(data.forge_url as string, Buffer.from(content));
    return data.ingot_id as string;
  }
}

const bearer = (token: string) => ({ query: '', headers: { Authorization: `Bearer ${token}` } });
