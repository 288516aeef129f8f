/** The endpoint of a web push subscription, which a browser never shares (RFC 8030, 8.3), as browsers normalize URLs. */
export function endpointOf(subscription: string): string {
  const { endpoint } = JSON.parse(subscription) as { endpoint: string };
  const url = new URL(endpoint);
  url.hash = '';
  return url.href;
}
