// The way of a person from the first page to the files of a vault.
import type { Page } from 'playwright-core';
import type { StackDescription } from '../../stack/descriptor.ts';
import type { FilledVault } from './fill-vault.ts';

/** Signs in as the owner of the stack's account, and opens the vault. */
export async function openFiles(page: Page, { api_url, account }: StackDescription, vault: FilledVault) {
  page.setDefaultTimeout(60_000);
  await page.goto(`${api_url}/app/vaults/${vault.id}`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('E-mail address').fill(account.owner_email ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Key of the vault').fill(vault.key);
  await page.getByRole('button', { name: 'Open here' }).click();
  await page.getByRole('button', { name: vault.names[0] as string, exact: true }).waitFor();
}
