import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** The file for which the page requests an upload. */
export interface WantedUpload {
  readonly name: string;
  readonly bytes: number;
}

/**
 * The site of an API client: a page with @uppy/core and @uppy/tus, and a server that has the credentials and returns one
 * forge_url per file.
 */
export class UppySite {
  private constructor(private readonly server: Server) {}

  /**
   * Serves the page at an origin that Forge allows.
   * @param openUpload resolves with the forge_url of a new upload
   */
  static async start(
    origin: string,
    openUpload: (wanted: WantedUpload) => Promise<string>,
  ): Promise<UppySite> {
    const script = await bundle();
    const server = createServer((request, response) => void answer(request, response, script, openUpload));
    server.listen(Number(new URL(origin).port), '127.0.0.1');
    await once(server, 'listening');
    return new UppySite(server);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Upload</title>
<input id="file" type="file" aria-label="File"><output id="state">ready</output>
<script type="module" src="/page.js"></script></html>`;

async function bundle(): Promise<string> {
  const entry = fileURLToPath(new URL('./uppy.client.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    // Packages of the page read it, and a browser has no environment.
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: string,
  openUpload: (wanted: WantedUpload) => Promise<string>,
): Promise<void> {
  const send = (type: string, text: string) => response.writeHead(200, { 'Content-Type': type }).end(text);
  if (request.url === '/page.js') return void send('text/javascript', script);
  if (request.url !== '/forge-url') return void send('text/html', HTML);
  const forgeUrl = await openUpload(await readJson(request));
  send('application/json', JSON.stringify({ forge_url: forgeUrl }));
}

async function readJson(request: IncomingMessage): Promise<WantedUpload> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString()) as WantedUpload;
}
