import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A site of the origin that the API allows, with one page, whose script is the global `page`. */
export class ClientSite {
  private constructor(
    private readonly server: Server,
    /** Bytes of the script, of which the client is nearly all. */
    readonly scriptBytes: number,
  ) {}

  static async start(origin: string): Promise<ClientSite> {
    const script = await bundle();
    const server = createServer((request, response) => {
      const isScript = request.url === '/page.js';
      response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' });
      response.end(isScript ? script : HTML);
    });
    server.listen(Number(new URL(origin).port), '127.0.0.1');
    await once(server, 'listening');
    return new ClientSite(server, script.length);
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

const HTML = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Client</title>
<input id="file" type="file" aria-label="File"><output id="state">ready</output>
<script src="/page.js"></script></html>`;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./page.client.ts', import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'page',
    platform: 'browser',
    conditions: ['@vaultsvc/source'],
    tsconfigRaw: {},
  });
  return outputFiles[0]?.text ?? '';
}
