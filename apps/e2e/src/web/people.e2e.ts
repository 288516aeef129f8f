import { describe, expect, it } from '@jest/globals';
import { inviteUser } from '@vaultsvc/contracts/auth';
import { succeeded } from '@vaultsvc/testing/http';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { joinOrganization, newEmail, signUpOrganization } from '../sign-in.js';
import { useContext } from './use-context.js';
import { WebApp } from './web-app.js';

const looks = new Looks('web-people');

let context: BrowserContext;
useContext((own) => (context = own));

const rowOf = (app: WebApp, email: string) => app.page.getByRole('listitem').filter({ hasText: email });

describe('People in the web application', () => {
  it('OPEN-59: invites a colleague, who joins and is made admin, and is removed', async () => {
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.place('People').click();
    await app.press('Invite');
    const email = newEmail();
    await app.type('E-mail address', 'nonsense');
    await app.inDialog('Send invitation').click();
    await app.page.getByRole('alert').getByText('Enter an e-mail address.').waitFor();
    await app.field('E-mail address').fill(email);
    await looks.check(app.page, 'invite');
    await app.inDialog('Send invitation').click();
    await rowOf(app, email).getByText('Invited', { exact: true }).waitFor();
    await app.button('Invite').and(app.page.locator(':focus')).waitFor();
    await rowOf(app, email).getByRole('button', { name: 'Send again' }).click();
    await app.page.getByText('was sent again.', { exact: false }).waitFor();
    await joinOrganization({ email });
    await app.page.reload();
    await rowOf(app, email).getByText('Member', { exact: false }).waitFor();
    await rowOf(app, email).getByRole('button', { name: 'Change' }).click();
    await app.page.getByText('Admin', { exact: true }).click();
    await looks.check(app.page, 'change');
    await app.inDialog('Save').click();
    await rowOf(app, email).getByText('Admin', { exact: false }).waitFor();
    await looks.check(app.page, 'people');
    await rowOf(app, email).getByRole('button', { name: 'Remove' }).click();
    await looks.check(app.page, 'remove');
    await app.inDialog('Remove').click();
    await rowOf(app, email).waitFor({ state: 'detached' });
    await app.page.locator('h1:focus').waitFor();
    expect(app.errors).toEqual([]);
  });

  it('OPEN-57: leads on when the last owner gives up the role, and when an address is taken', async () => {
    const app = await WebApp.openIn(context);
    await app.signUp(newEmail());
    await app.place('People').click();
    await app.page.getByRole('button', { name: 'Change' }).click();
    await app.page.getByText('Member', { exact: true }).click();
    await app.inDialog('Save').click();
    await app.page.getByText('Make somebody else an owner first.', { exact: false }).waitFor();
    await looks.check(app.page, 'last-owner');
    await app.page.keyboard.press('Escape');
    await app.press('Invite');
    const taken = newEmail();
    await signUpOrganization('Elsewhere', { email: taken });
    await app.type('E-mail address', taken);
    await app.page.keyboard.press('Enter');
    await app.page.getByText('already belongs to an organization', { exact: false }).waitFor();
    expect(await app.field('E-mail address').inputValue()).toBe(taken);
    expect(app.errors).toEqual([]);
  });

  it('WEB-06: shows a member who belongs to the organization, and no change', async () => {
    const owner = newEmail();
    const { client } = await signUpOrganization('Laundry & Söhne', { email: owner });
    const email = newEmail();
    succeeded(await client.call(inviteUser, { body: { email, role: 'member', seat: 'viewer' } }));
    await joinOrganization({ email });
    const app = await WebApp.openIn(context, '/app/people');
    await app.signIn(email);
    await rowOf(app, owner).waitFor();
    await rowOf(app, email).getByText('Viewer seat', { exact: false }).waitFor();
    await looks.check(app.page, 'member');
    expect(await app.page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(app.errors).toEqual([]);
  });
});

describe('an admin in People', () => {
  it('OPEN-57: leaves owners to owners, and leaves the organization', async () => {
    const owner = newEmail();
    const { client } = await signUpOrganization('Laundry & Söhne', { email: owner });
    const email = newEmail();
    succeeded(await client.call(inviteUser, { body: { email, role: 'admin', seat: 'full' } }));
    await joinOrganization({ email });
    const app = await WebApp.openIn(context, '/app/people');
    await app.signIn(email);
    await rowOf(app, owner).getByText('Only an owner changes this', { exact: false }).waitFor();
    expect(await rowOf(app, owner).getByRole('button').count()).toBe(0);
    await rowOf(app, email).getByRole('button', { name: 'Leave' }).click();
    await app.inDialog('Leave').click();
    await app.heading('You are signed out').waitFor();
    expect(app.errors).toEqual([]);
  });
});

describe('OPEN-59: an invitation that waits', () => {
  it('is declined, and the person creates an organization instead', async () => {
    const { client } = await signUpOrganization('Laundry & Söhne');
    const email = newEmail();
    succeeded(await client.call(inviteUser, { body: { email, role: 'member', seat: 'full' } }));
    const app = await WebApp.openIn(context);
    await app.signIn(email);
    await app.press('Decline');
    await app.heading('Name your organization').waitFor();
    await app.type('Organization', 'My own');
    await app.press('Create organization');
    await app.field('Your secret').waitFor();
    expect(app.errors).toEqual([]);
  });
});
