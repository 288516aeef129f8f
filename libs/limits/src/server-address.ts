/** `host:port`, with brackets around an IPv6 address. */
export function addressOf(host: string, port: number | string): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

/** The host of an address, as it stands there. */
export function hostIn(address: string): string {
  return address.slice(0, address.lastIndexOf(':'));
}

/** The `host:port` of a URL of Redis, also of one with the default port. */
export function addressIn(text: string): string {
  const { hostname, port } = new URL(text);
  return addressOf(hostname, port || 6_379);
}

/** A URL of Redis with the address of another server: protocol, user and password stay. */
export function urlAt(text: string, address: string): string {
  const url = new URL(text);
  url.hostname = hostIn(address);
  url.port = address.slice(address.lastIndexOf(':') + 1);
  return url.href;
}
