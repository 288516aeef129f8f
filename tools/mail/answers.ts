/** Of the inbox over HTTP. */
export interface Answer {
  status: number;
  type: string;
  body: string | Uint8Array;
  /** Its Content-Security-Policy, by default one that permits nothing. */
  policy?: string;
  /** Where the browser continues. */
  location?: string;
}

const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** A mail is an untrusted document: no scripts, no external resources, an opaque origin; links open in a new tab. */
const mailPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; frame-ancestors 'self'";

/** @param body HTML of the inbox */
export function page(body: string): Answer {
  return { status: 200, type: 'text/html; charset=utf-8', body, policy: pagePolicy };
}

/** @param body a mail's HTML part; its links must not open inside the frame */
export function mailPart(body: string): Answer {
  const base = '<base target="_blank">';
  const placed = /<head\b[^>]*>/i.test(body) ? body.replace(/<head\b[^>]*>/i, `$&${base}`) : base + body;
  return { status: 200, type: 'text/html; charset=utf-8', body: placed, policy: mailPolicy };
}

export function json(status: number, value: unknown): Answer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

export function found(one: object | undefined): Answer {
  return one ? json(200, one) : json(404, { error: 'No such message.' });
}

export function text(status: number, body: string | Uint8Array): Answer {
  return { status, type: 'text/plain; charset=utf-8', body };
}

/** Leads the browser to a page by GET, after a form was sent. */
export function seeOther(location: string): Answer {
  return { ...text(303, ''), location };
}
