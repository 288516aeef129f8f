import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { InvalidAccount, claimsOf, type Claims } from './accounts.ts';
import { BodyTooLarge, readBody, sendJson, type Handler } from './http.ts';
import { signingAlgorithm, type State } from './state.ts';

const known = ['email', 'name', 'email_verified'];

/** `POST /token-for`: an ID token without a browser, for scripts. A person has the same `sub` as on the page. */
export function tokenFor({
  issuer,
  clientId,
  state,
}: {
  issuer: string;
  clientId: string;
  state: State;
}): Handler {
  const key = importJWK(state.signing_key, signingAlgorithm);
  const sign = async (claims: Claims) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: signingAlgorithm, kid: state.signing_key.kid })
      .setIssuer(issuer)
      .setAudience(clientId)
      .setIssuedAt()
      // The API accepts a token once; without an id, two of one second would be equal.
      .setJti(randomUUID())
      .setExpirationTime('1h')
      .sign(await key);

  return async (request, response) => {
    if (request.method !== 'POST') return sendJson(response, 405, { error: 'use POST' }, { allow: 'POST' });
    try {
      const claims = claimsOf(parseObject(await readBody(request)));
      sendJson(response, 200, { id_token: await sign(claims) });
    } catch (error) {
      if (error instanceof BodyTooLarge) return sendJson(response, 413, { error: error.message });
      if (!(error instanceof InvalidAccount || error instanceof SyntaxError)) throw error;
      sendJson(response, 400, { error: error.message });
    }
  };
}

function parseObject(text: string): Record<string, unknown> {
  const value = parseJson(text);
  if (!isObject(value))
    throw new SyntaxError('send a JSON object: {"email": "ann@example.com", "name": "Ann"}');
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new SyntaxError(`unknown field ${JSON.stringify(unknown)}; known: ${known.join(', ')}`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // The caller reports it like JSON that is not an object.
  }
}
