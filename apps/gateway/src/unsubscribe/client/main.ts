import { ApiError } from '@vaultsvc/client';
import { paragraph } from '../../page-client/elements.js';
import { textOf } from '../../page-client/error-text.js';
import { showNotice } from '../../page-client/notice.js';
import { announce, find } from '../../page-client/page-parts.js';
import { MailLink } from './mail-link.js';
import { PreferencesPage } from './preferences-page.js';

const link = new MailLink(new URLSearchParams(location.search).get('token') ?? '');
void open();

/** Reads what the link is about. Opening the page changes nothing. */
async function open(): Promise<void> {
  announce('Reading your preferences …');
  try {
    const page = new PreferencesPage(link, await link.read());
    announce('');
    page.show(find('stage'));
  } catch (error) {
    showFailure(error);
  }
}

function showFailure(error: unknown): void {
  if (error instanceof ApiError && error.status === 400)
    return showNotice({
      title: 'This link is not valid',
      parts: [paragraph('Check that it is complete, or open it from the mail again.')],
      choices: {},
    });
  const parts = [paragraph(`${textOf(error)} Nothing was changed.`)];
  showNotice({ title: 'This did not work', parts, choices: { 'Try again': open } });
}
