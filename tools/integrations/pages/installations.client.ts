import { element, stageOf } from './elements.client.ts';
import { read, type Named } from './page-server.client.ts';

/**
 * Shows a page in which a person of an installation acts, or how to install the app where no workspace or CRM has it.
 * @param command makes an installation
 */
export async function showInstallations(
  command: string,
  showPage: (stage: HTMLElement, installations: readonly Named[]) => Promise<void>,
) {
  const stage = stageOf();
  const installations = await read<Named[]>('/_workspaces');
  if (installations.length > 0) await showPage(stage, installations);
  else stage.replaceChildren(installationHelp(command));
}

function installationHelp(command: string) {
  return element(
    'section',
    {},
    element('h2', {}, 'The app is not installed'),
    element(
      'p',
      {},
      'Install it as an admin of an account, as docs/integrations.md shows under "Try it". A code that begins with local-ok is accepted. Then reload this page.',
    ),
    element('pre', { tabindex: '0' }, command),
  );
}
