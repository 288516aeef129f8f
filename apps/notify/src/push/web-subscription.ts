/** Whether a text is the JSON of a PushSubscription (W3C Push API, section 8): an endpoint with the keys of RFC 8291. */
export function isSubscription(text: string): boolean {
  const { endpoint, keys } = (parse(text) ?? {}) as { endpoint?: unknown; keys?: Record<string, unknown> };
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint) || typeof keys !== 'object') return false;
  return (
    /^https?:$/.test(new URL(endpoint).protocol) && isKey(keys?.['p256dh'], 65) && isKey(keys?.['auth'], 16)
  );
}

function isKey(value: unknown, bytes: number): boolean {
  return typeof value === 'string' && Buffer.from(value, 'base64url').length === bytes;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
