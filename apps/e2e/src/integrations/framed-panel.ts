import { connectCrma, connectCrmb } from '@vaultsvc/contracts/integrations';
import { createVault } from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { succeeded } from '@vaultsvc/testing/http';
import type { BrowserContext, Download, FrameLocator, Page } from 'playwright-core';
import { signUpOrganization } from '../sign-in.js';
import { stack } from '../stack.js';
import type { CrmApp } from './crm-client.js';

const { crma_api_url, crmb_api_url } = stack();
const providers = { crma: crma_api_url, crmb: crmb_api_url };

const post = (url: string, body: object) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

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
    if (app === 'crma')
      return new LocalCrm(app, succeeded(await client.call(connectCrma, { body })).portal_id, vmk);
    const { org_id, session_secret } = succeeded(await client.call(connectCrmb, { body }));
    await post(`${crmb_api_url}/_secrets`, { orgId: org_id, secret: session_secret });
    return new LocalCrm(app, org_id, vmk);
  }

  /** The URL of a new panel, for which the emulated CRM asks as it does when a person opens a record. */
  async panelUrl(record_id: string): Promise<string> {
    const asked = {
      path: 'resolve',
      userId: '101',
      body: { object_type: 'contact', record_id },
      ...(this.app === 'crma' ? { portalId: this.remoteId } : { orgId: this.remoteId }),
    };
    const response = await post(`${providers[this.app]}/_send/proxy`, asked);
    const { text } = (await response.json()) as { text: string };
    return (JSON.parse(text) as { data: { panel_url: string } }).data.panel_url;
  }

  /** Opens a record on the page of the emulated CRM, which shows the panel in a frame. */
  async open(context: BrowserContext, record_id: string): Promise<FramedPanel> {
    const panel = await FramedPanel.visit(context, providers[this.app]);
    await panel.page.getByRole('combobox').first().selectOption(this.remoteId);
    await panel.page.getByLabel('Number').fill(record_id);
    await panel.page.getByRole('button', { name: 'Open record' }).click();
    return panel;
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

  static async visit(context: BrowserContext, url: string): Promise<FramedPanel> {
    const panel = new FramedPanel(await context.newPage());
    await panel.page.goto(url);
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
    await this.frame.getByLabel('Key of the vault').fill(key);
    await this.button('Unlock').click();
  }

  /** The download that a button starts. */
  async download(name: string): Promise<Download> {
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.button(`Download ${name}`).click(),
    ]);
    return download;
  }

  async add(...files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    await this.frame.getByLabel('Files to add').setInputFiles(files);
  }
}
