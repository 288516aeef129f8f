import { BadAccount } from './accounts.mjs';
import { BodyTooLarge, readBody, sendPage } from './http.mjs';
import { addressPage } from './pages/address.mjs';
import { refusalPage } from './pages/refusal.mjs';

/**
 * `/interaction/{uid}`: asks for an address, and sends the browser on with it.
 * @param {import('oidc-provider').Provider} provider
 * @param {import('./people.mjs').People} people
 * @param {string[]} formTargets origins that a sent form may lead to
 */
export function interaction(provider, people, formTargets) {
  const show = (response, status, options) =>
    sendPage(response, status, addressPage({ ...options, formTargets }));

  async function finish(request, response) {
    const typed = Object.fromEntries(new URLSearchParams(await readBody(request)));
    try {
      const accountId = people.remember({ email: typed.email, name: typed.name });
      await provider.interactionFinished(request, response, { login: { accountId } });
    } catch (error) {
      if (!(error instanceof BadAccount)) throw error;
      show(response, 400, { typed, problem: error });
    }
  }

  return async (request, response) => {
    try {
      await provider.interactionDetails(request, response);
      if (request.method === 'POST') await finish(request, response);
      else show(response, 200, { typed: {} });
    } catch (error) {
      if (error instanceof BodyTooLarge) return sendPage(response, 413, refusalPage(error.message));
      // Ours is the only way to begin; after an hour or a restart it has to be begun again.
      if (error?.name !== 'SessionNotFound') throw error;
      sendPage(response, 400, refusalPage('This sign-in has expired, or was begun in another browser.'));
    }
  };
}
