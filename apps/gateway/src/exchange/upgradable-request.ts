import { IncomingMessage } from 'node:http';

/**
 * A request of a server that speaks WebSockets. Node hands each request with `Upgrade` over without its body, once the server
 * has a listener. Here it does so for the handshake of a WebSocket only (RFC 6455, 4.1): other protocols are ignored
 * (RFC 9110, 7.8), such as the `h2c` that HTTP clients of Java offer with every request, and the answer is HTTP/1.1.
 */
export class UpgradableRequest extends IncomingMessage {
  declare isUpgradeAnnounced: boolean | null;

  // Node sets this before the headers, and reads it after them.
  get upgrade(): boolean | null {
    return this.isUpgradeAnnounced === true && this.method !== 'CONNECT'
      ? isHandshake(this)
      : this.isUpgradeAnnounced;
  }

  set upgrade(isAnnounced: boolean | null) {
    this.isUpgradeAnnounced = isAnnounced;
  }
}

function isHandshake({ method, headers }: IncomingMessage): boolean {
  const hasBody = (headers['content-length'] ?? '0') !== '0' || headers['transfer-encoding'] !== undefined;
  const protocols = (headers.upgrade ?? '').split(',').map((name) => name.trim().toLowerCase());
  return method === 'GET' && !hasBody && protocols.includes('websocket');
}
