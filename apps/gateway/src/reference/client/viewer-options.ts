import { colours } from './colours.js';

/** Without a rule, the button that copies code is there for pointers that hover alone. */
const visibleCopyButtons = '.scalar-code-copy { opacity: 1 !important; }';

/** Options of Scalar. Nothing is requested from, or sent to, another server; the caller's key is kept in memory only. */
export function viewerOptions(url: string): object {
  return {
    url,
    // Third parties: fonts, a proxy for requests, statistics, an assistant and a hosted client.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    persistAuth: false,
    // The header of the page searches guides and errors too.
    hideSearch: true,
    // The document has samples of its own, each of which a test runs.
    hiddenClients: true,
    documentDownloadType: 'direct',
    operationTitleSource: 'summary',
    theme: 'default',
    customCss: colours + visibleCopyButtons,
  };
}
