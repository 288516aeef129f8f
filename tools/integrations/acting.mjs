import { createHmac } from 'node:crypto';
import { SignJWT } from 'jose';

/** How a fake acts as its provider: it signs requests as the provider does and sends them to our API. */

/**
 * @typedef {object} Delivered the answer of our API
 * @property {number} status
 * @property {string} text
 */

/**
 * @param {string} url
 * @param {string} body
 * @param {Record<string, string>} headers
 * @returns {Promise<Delivered>}
 */
async function deliver(url, body, headers) {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, text: await response.text() };
}

/** The chat platform: webhooks with the signature v0. */
export class ActingChat {
  /** @param {{ apiUrl: string, signingSecret: string }} options */
  constructor({ apiUrl, signingSecret }) {
    this.apiUrl = apiUrl;
    this.base = `${apiUrl}/v1/apps/chatapp/webhooks`;
    this.signingSecret = signingSecret;
  }

  /** @param {Record<string, string>} form of a slash command */
  command(form) {
    return this.#send('commands', new URLSearchParams({ command: '/secret', ...form }).toString(), 'form');
  }

  /** @param {object} payload of an interaction */
  interaction(payload) {
    return this.#send(
      'interactions',
      new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
      'form',
    );
  }

  /** @param {object} envelope of an event */
  event(envelope) {
    return this.#send('events', JSON.stringify(envelope), 'json');
  }

  /**
   * @param {string} path
   * @param {string} body
   * @param {'form' | 'json'} type
   */
  #send(path, body, type) {
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const code = createHmac('sha256', this.signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
    return deliver(`${this.base}/${path}`, body, {
      'Content-Type': type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      'X-Chat-Request-Timestamp': timestamp,
      'X-Chat-Signature': `v0=${code}`,
    });
  }
}

/** The first CRM: its proxy appends the person and the portal, and signs with v3. */
export class ActingCrma {
  /** @param {{ apiUrl: string, clientSecret: string }} options */
  constructor({ apiUrl, clientSecret }) {
    this.apiUrl = apiUrl;
    this.clientSecret = clientSecret;
  }

  /**
   * A request of a person, as `hubspot.fetch` forwards it.
   * @param {{ path: string, portalId: string, userId: string, body: object }} request
   */
  proxy({ path, portalId, userId, body }) {
    const person = { userId, portalId, userEmail: 'ada@example.com', appId: '54321' };
    return this.#send(`/v1/apps/crma/${path}?${new URLSearchParams(person)}`, body);
  }

  /** @param {object | object[]} events */
  webhook(events) {
    return this.#send('/v1/apps/crma/webhooks', events);
  }

  /**
   * @param {string} target
   * @param {object} given
   */
  #send(target, given) {
    const body = JSON.stringify(given);
    const timestamp = String(Date.now());
    const source = `POST${this.apiUrl}${target.replaceAll('%40', '@')}${body}${timestamp}`;
    return deliver(this.apiUrl + target, body, {
      'Content-Type': 'application/json',
      'X-Crma-Request-Timestamp': timestamp,
      'X-Crma-Signature-V3': createHmac('sha256', this.clientSecret).update(source).digest('base64'),
    });
  }
}

/** The second CRM: its panel presents a session of the org. */
export class ActingCrmb {
  /** @param {{ apiUrl: string, sessionSecret: string }} options */
  constructor({ apiUrl, sessionSecret }) {
    this.apiUrl = apiUrl;
    this.sessionSecret = sessionSecret;
  }

  /**
   * A request of a person of an org; `webhooks` is a path like the others.
   * @param {{ path: string, orgId: string, userId: string, body: object }} request
   */
  async proxy({ path, orgId, userId, body }) {
    const session = await new SignJWT({ org_id: orgId, user_id: userId })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('5m')
      .sign(Buffer.from(this.sessionSecret));
    return deliver(`${this.apiUrl}/v1/apps/crmb/${path}`, JSON.stringify(body), {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${session}`,
    });
  }
}
