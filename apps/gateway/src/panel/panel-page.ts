import { brand, pageDocument, type PageDocument } from '../pages/page-document.js';
import { pageScript, pageStyle } from './page-script.js';

/**
 * The panel of a record: a page for frames of one CRM.
 * @param forgeOrigin to which the page uploads
 * @param frameAncestors the origins of the CRM
 */
export function panelPage(forgeOrigin: string, frameAncestors: readonly string[]): PageDocument {
  return pageDocument({
    title: 'Files',
    body,
    script: pageScript,
    style: pageStyle,
    connectTo: [forgeOrigin],
    frameAncestors,
  });
}

const body = `<main id="stage">
<h1 tabindex="-1">Files</h1>
<p>Opening the panel …</p>
<noscript><p>This panel needs JavaScript. Allow it and reload the record.</p></noscript>
</main>
<footer>${brand}</footer>`;
