import type { CrmId } from '@vaultsvc/contracts/integrations';
import { isUnauthorized, textOf } from '../../page-client/error-text.js';
import { paragraph } from '../../page-client/elements.js';
import { showNotice } from '../../page-client/notice.js';
import { PanelSession } from './panel-session.js';
import { RecordPage } from './record-page.js';

const app = location.pathname.split('/').pop() as CrmId;
const ticket = location.hash.slice(1);
// The ticket is used once; nothing else on this computer should find it.
history.replaceState(null, '', location.pathname);
void enter();

async function enter(): Promise<void> {
  if (ticket === '') return showReload('This panel opens from a record', 'Open the record in your CRM.');
  try {
    const page = new RecordPage(await PanelSession.open(app, ticket));
    await page.show();
  } catch (error) {
    if (isUnauthorized(error))
      return showReload(
        'This panel has been opened before',
        'Reload the record in your CRM to open it again.',
      );
    showReload('This did not work', `${textOf(error)} Reload the record in your CRM to try again.`);
  }
}

/** A ticket is not tried twice: without a clear answer it may be used. */
function showReload(title: string, text: string): void {
  showNotice({ title, parts: [paragraph(text)], choices: {} });
}
