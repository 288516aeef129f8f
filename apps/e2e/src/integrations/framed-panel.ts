import { connectCrma, connectCrmb } from '@vaultsvc/contracts/integrations';
import { createVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import type { BrowserContext, FrameLocator, Page } from 'playwright-core';
import { signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';
import type { CrmApp } from './crm-client.js';

const { crma_api_url, crmb_api_url } = stack();
const providers = { crma: crma_api_url, crmb: crmb_api_url };

/** A CRM of the local stack with the app, and the vault of its files. */
export class LocalCrm {
  private constructor(
    readonly app: CrmApp,
    private readonly remoteId: string,
    readonly vmk: string,
  ) {}

  static async connect(app: CrmApp): Promise<LocalCrm> {
    const { client } = await signUpOrganization('CRM & Söhne');
    const { vault_id, vmk } = succeeded(await client.call(createVault, { body: { name: 'Customers' } }));
    const code = `local-ok-${newId('code_')}`;
    const body = { code, redirect_uri: 'https://app.example.com/callback', vault_id };
    const remoteId =
      app === 'crma'
        ? succeeded(await client.call(connectCrma, { body })).portal_id
        : succeeded(await client.call(connectCrmb, { body })).org_id;
    return new LocalCrm(app, remoteId, vmk);
  }

  /** The URL of a new panel, for which the emulated CRM asks as it does when a person opens a record. */
  async panelUrl(record_id: string): Promise<string> {
    const asked = {
      path: 'resolve',
      userId: '101',
      body: { object_type: 'contact', record_id },
      ...(this.app === 'crma' ? { portalId: this.remoteId } : { orgId: this.remoteId }),
    };
    const response = await fetch(`${providers[this.app]}/_send/proxy`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(asked),
    });
    const { text } = (await response.json()) as { text: string };
    return (JSON.parse(text) as { data: { panel_url: string } }).data.panel_url;
  }

  /** Opens the panel of a record in a frame of a page of the CRM. */
  async open(context: BrowserContext, record_id: string): Promise<FramedPanel> {
    return FramedPanel.show(context, providers[this.app], await this.panelUrl(record_id));
  }
}

/** A panel in a frame, with the errors that it caused. */
export class FramedPanel {
  readonly errors: string[] = [];
  readonly frame: FrameLocator;

  private constructor(readonly page: Page) {
    this.frame = page.frameLocator('iframe');
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => message.type() === 'error' && this.errors.push(message.text()));
  }

  /** @param origin of the page around the frame */
  static async show(context: BrowserContext, origin: string, url: string): Promise<FramedPanel> {
    await context.route(`${origin}/records/*`, (route) =>
      route.fulfill({ contentType: 'text/html', body: recordPage(url) }),
    );
    const panel = new FramedPanel(await context.newPage());
    await panel.page.goto(`${origin}/records/1`);
    return panel;
  }

  button(name: string) {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** The row of a file or of an upload. */
  row(name: string) {
    return this.frame.getByRole('listitem').filter({ hasText: name });
  }

  async unlock(key: string): Promise<void> {
    await this.frame.getByLabel('Key of the vault', { exact: true }).fill(key);
    await this.button('Unlock').click();
  }

  async add(...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    await this.frame.getByLabel('Files to add').setInputFiles(files);
  }
}

/** The page of a record, as a CRM shows an app in a frame. */
function recordPage(url: string): string {
  return `<!doctype html><html lang="en"><title>Ada Lovelace</title><style>
body { margin: 0; font: 16px sans-serif; background: Canvas; color-scheme: light dark } h1 { font-size: 1rem; padding: 0 1rem }
iframe { display: block; width: 100%; height: 85vh; border: 0 }</style>
<h1>Ada Lovelace</h1><iframe title="Files" src="${url}" allow="clipboard-write"></iframe></html>`;
}
