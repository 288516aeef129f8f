import { html, type Html } from '../reference/html.js';
import { textPage } from '../reference/text-page.js';
import type { InstallableFile } from './installable-file.js';

/** Where the page is, and the files below it. */
export const INSTALL_PATH = '/docs/install';

/** The page that says how to install the command line and the client from this deployment. */
export function installPage(
  files: readonly InstallableFile[],
  { version, origin }: { readonly version: string; readonly origin: string },
): { page: string; policy: string } {
  const base = `${origin}${INSTALL_PATH}`;
  const links = [
    html`<a href="${INSTALL_PATH}" aria-current="page">Install</a>`,
    html`<a href="/docs/guides/cli">The command line</a>`,
    html`<a href="/docs/guides/client">The TypeScript client</a>`,
  ];
  const main = html`<h1>Install</h1>
<p>The command line <code>vaultsvc</code> and the TypeScript client of this server, version ${version}. Both need <a href="https://nodejs.org/en/download">Node</a> 20.19 or later.</p>
${oneFile(base)}${withNpm(base)}${client(base)}${firstSteps(origin)}${checksums(files)}`;
  return textPage({ title: 'Install', group: 'install', label: 'Pages', links, main });
}

function oneFile(base: string): Html {
  return html`<h2 id="one-file">The command line as one file</h2>
${commands(`curl -fsSO ${base}/vaultsvc.mjs
curl -fsSO ${base}/vaultsvc.mjs.sha256
sha256sum -c vaultsvc.mjs.sha256
node vaultsvc.mjs --version`)}
<p>On macOS, <code>shasum -a 256 -c vaultsvc.mjs.sha256</code> compares the checksum. As the command <code>vaultsvc</code>:</p>
${commands(`mkdir -p ~/.local/bin ~/.local/lib
mv vaultsvc.mjs ~/.local/lib/vaultsvc.mjs
chmod +x ~/.local/lib/vaultsvc.mjs
ln -sf ~/.local/lib/vaultsvc.mjs ~/.local/bin/vaultsvc
export PATH="$HOME/.local/bin:$PATH"`)}
`;
}

function withNpm(base: string): Html {
  return html`<h2 id="npm">The command line with npm</h2>
${commands(`npm install --global ${base}/vaultsvc-cli.tgz`)}
<p>Or with its checksum compared first:</p>
${commands(`curl -fsSO ${base}/vaultsvc-cli.tgz
curl -fsSO ${base}/vaultsvc-cli.tgz.sha256
sha256sum -c vaultsvc-cli.tgz.sha256
npm install --global ./vaultsvc-cli.tgz`)}
`;
}

function client(base: string): Html {
  return html`<h2 id="client">The TypeScript client</h2>
${commands(`npm install ${base}/vaultsvc-client.tgz`)}
<p>npm keeps the checksum of the tarball, and this address has another tarball after an upgrade of the server. A project that must install the same for years keeps the file:</p>
${commands(`curl -fsSO ${base}/vaultsvc-client.tgz
curl -fsSO ${base}/vaultsvc-client.tgz.sha256
sha256sum -c vaultsvc-client.tgz.sha256
npm install ./vaultsvc-client.tgz`)}
`;
}

function firstSteps(origin: string): Html {
  return html`<h2 id="first-steps">First steps</h2>
<p><code>login</code> asks for an API key without showing it. <code>send</code> prints a link that opens once.</p>
${commands(`vaultsvc login --url ${origin}
echo -n 'correct horse' | vaultsvc send
vaultsvc vault create box --save
vaultsvc upload box report.pdf
vaultsvc download box report.pdf --out copy.pdf`)}
`;
}

function checksums(files: readonly InstallableFile[]): Html {
  return html`<h2 id="checksums">Checksums</h2>
<p>They show that a file arrived whole. Against a server that is not yours they prove nothing: compare them with those that its operator gives you on another way.</p>
<div class="scroll" tabindex="0"><table>
<tr><th>File</th><th>Bytes</th><th>SHA-256</th></tr>
${files.map(({ name, body, hash }) => html`<tr><td><a href="${INSTALL_PATH}/${name}">${name}</a></td><td>${body.length}</td><td><code>${hash}</code></td></tr>`)}
</table></div>
`;
}

/** A wide block scrolls by itself, and a keyboard must be able to scroll it (WCAG 2.1.1). */
function commands(text: string): Html {
  return html`<pre tabindex="0"><code>${text}</code></pre>`;
}
