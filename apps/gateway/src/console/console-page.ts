import { brand, pageDocument } from '../pages/page-document.js';
import { pageScript, pageStyle } from './page-script.js';

/** The usage page, whose script signs in and reads the figures. */
export const consolePage = () => pageDocument({ title: 'Usage', body, script: pageScript, style: pageStyle });

const body = `<header>
${brand}
<div id="person"></div>
</header>
<main id="stage">
<h1 tabindex="-1">Usage</h1>
<p>Looking for your session …</p>
<noscript><p>This page needs JavaScript, which signs you in and draws the charts. Allow it and reload the page.</p></noscript>
</main>`;
