import { listApiKeys, listUsers } from '@vaultsvc/contracts/auth';
import { listSends } from '@vaultsvc/contracts/notify';
import { listSparkHistory, readSubscription } from '@vaultsvc/contracts/reporting';
import { listVaults } from '@vaultsvc/contracts/vaults';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { newEmail } from '../sign-in.js';
import type { Patient } from './tunnel.js';

/** A way through the application, once signed in, that makes one thing. */
export interface Journey {
  readonly place: string;
  /** As many calls at least, among which one is drawn. */
  readonly calls: number;
  readonly travel: (person: Patient) => Promise<void>;
  /** Of what the journey makes one of. */
  readonly count: (client: Api) => Promise<number>;
}

/** By what the person does. */
export const journeys: Readonly<Record<string, Journey>> = {
  'sends a secret, and withdraws it': {
    place: 'Send',
    calls: 4,
    travel: async (person) => {
      const { app } = person;
      const row = app.page.getByRole('list', { name: 'Secrets' }).getByRole('listitem');
      await app.field('Your secret').fill('in a tunnel');
      await person.step(() => app.press('Create link'), app.heading('Your link is ready'));
      await person.step(() => app.place('Sent').click(), row.filter({ hasText: 'Waiting' }));
      await app.press('Withdraw');
      await person.step(() => app.inDialog('Withdraw').click(), row.filter({ hasText: /Withdrawn \d/ }));
    },
    // A withdrawn one is in the history alone.
    count: (client) =>
      eventually(
        async () => succeeded(await client.call(listSparkHistory, { query: { limit: 50 } })).items.length,
        (count) => count > 0,
      ),
  },
  'creates a vault, uploads a file, and reveals a secret': {
    place: 'Vaults',
    calls: 12,
    travel: async (person) => {
      const { app } = person;
      const { page } = app;
      const part = (name: string) =>
        page.getByRole('navigation', { name: 'Parts of the vault' }).getByRole('link', { name });
      await page.getByRole('link', { name: 'Create a vault' }).click();
      await app.field('Name').fill('Contracts');
      const key = page.getByLabel('Master key');
      await person.step(() => app.press('Create vault'), key);
      const vmk = await key.innerText();
      await app.press('I have kept it');
      await app.type('Enter the last 6 characters of the key', vmk.slice(-6));
      await person.step(() => app.press('Continue'), page.getByLabel('Key of the vault'));
      await page.getByLabel('Key of the vault').fill(vmk);
      await person.step(
        () => app.press('Open here'),
        page.getByText('Nothing is here yet.', { exact: false }),
      );
      const choose = () =>
        page
          .locator('input[type=file][multiple]')
          .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') });
      const again = app.button('Try again: plan.txt');
      const upload = async () => ((await again.isVisible()) ? again.click() : choose());
      await person.step(upload, app.button('plan.txt'));
      await person.step(() => part('Secrets').click(), app.button('New set'));
      await app.press('New set');
      await app.type('Name of the set', 'production');
      await person.step(() => app.press('Create set'), app.button('Add a secret'));
      await app.press('Add a secret');
      await app.type('Name', 'TOKEN');
      await app.field('Value').fill('correct horse 9k');
      await person.step(() => app.press('Save'), app.button('Reveal TOKEN'));
      await app.press('Reveal TOKEN');
      await person.step(() => app.inDialog('Reveal').click(), page.getByText('correct horse 9k'));
    },
    count: async (client) => succeeded(await client.call(listVaults, { query: { limit: 50 } })).vaults.length,
  },
  'invites a colleague': {
    place: 'People',
    calls: 2,
    travel: async (person) => {
      const { app } = person;
      const email = newEmail();
      await person.step(() => Promise.resolve(), app.button('Invite'));
      await app.press('Invite');
      await app.type('E-mail address', email);
      const row = app.page.getByRole('listitem').filter({ hasText: email });
      await person.step(() => app.inDialog('Send invitation').click(), row);
    },
    count: async (client) =>
      succeeded(await client.call(listUsers, { query: { limit: 50 } })).users.length - 1,
  },
  'creates an API key, and revokes it': {
    place: 'API keys',
    calls: 4,
    travel: async (person) => {
      const { app } = person;
      await app.press('Create key');
      await app.type('Name', 'Backup job');
      const key = app.page.getByLabel('Key of Backup job');
      await person.step(() => app.inDialog('Create key').click(), key);
      const kept = await key.innerText();
      await app.press('I have kept it');
      await app.type('Enter the last 6 characters of the key', kept.slice(-6));
      await person.step(() => app.press('Continue'), app.button('Revoke: Backup job'));
      await app.press('Revoke: Backup job');
      await person.step(() => app.inDialog('Revoke').click(), app.page.getByText('Revoked', { exact: true }));
    },
    count: async (client) =>
      succeeded(await client.call(listApiKeys, { query: { limit: 50 } })).api_keys.length,
  },
  'notifies a person': {
    place: 'Notifications',
    calls: 4,
    travel: async (person) => {
      const { app } = person;
      const compose = app.page.getByRole('main').getByRole('link', { name: 'Notify people', exact: true });
      await person.step(() => Promise.resolve(), compose);
      await compose.click();
      await app.type('Add a recipient', newEmail());
      await app.page.keyboard.press('Enter');
      await app.field('Subject (optional)').fill('Your contract');
      await app.field('Sealed content').fill('the sealed contract');
      await person.step(() => app.press('Preview'), app.heading('Check before you send'));
      await person.step(() => app.press('Send to 1 person'), app.heading('Your contract'));
      const sent = app.page.getByText('Sent, not opened yet', { exact: false });
      await person.step(() => Promise.resolve(), sent);
    },
    count: async (client) => succeeded(await client.call(listSends, { query: { limit: 50 } })).sends.length,
  },
  'buys a seat': {
    place: 'Billing',
    calls: 4,
    travel: async (person) => {
      const { app } = person;
      await person.step(() => Promise.resolve(), app.button('Change: Seats'));
      await app.press('Change: Seats');
      await app.page.getByRole('spinbutton').fill('1');
      await person.step(() => app.inDialog('See the cost').click(), app.inDialog('Confirm the change'));
      const seats = app.page.getByText('Seats: 1,001, 1 in use');
      await person.step(() => app.inDialog('Confirm the change').click(), seats);
    },
    count: async (client) => succeeded(await client.call(readSubscription, {})).seats,
  },
};
