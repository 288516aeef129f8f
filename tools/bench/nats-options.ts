/**
 * The options of a NATS connection by URL; the client does not read credentials from a URL by itself.
 * @param url `nats://user:password@host:port`
 */
export function natsOptions(url: string) {
  const { host, username, password } = new URL(url);
  return { servers: host, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
