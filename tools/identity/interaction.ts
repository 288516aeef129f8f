import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import { InvalidAccount, type SignedInAccounts } from './accounts.ts';
import { BodyTooLarge, readBody, sendPage, type Handler } from './http.ts';
import { addressPage, type AddressForm } from './pages/address.ts';
import { errorPage } from './pages/error.ts';

/**
 * `/interaction/{uid}`: asks for an e-mail address and completes the sign-in with it.
 * @param formTargets origins to which the form may redirect
 */
export function interaction(provider: Provider, accounts: SignedInAccounts, formTargets: string[]): Handler {
  const show = (response: ServerResponse, status: number, form: AddressForm) =>
    sendPage(response, status, addressPage({ ...form, formTargets }));

  async function finish(request: IncomingMessage, response: ServerResponse) {
    const input = Object.fromEntries(new URLSearchParams(await readBody(request)));
    try {
      const accountId = accounts.remember({ email: input.email, name: input.name });
      await provider.interactionFinished(request, response, { login: { accountId } });
    } catch (error) {
      if (!(error instanceof InvalidAccount)) throw error;
      show(response, 400, { input, problem: error });
    }
  }

  return async (request, response) => {
    try {
      await provider.interactionDetails(request, response);
      if (request.method === 'POST') await finish(request, response);
      else show(response, 200, { input: {} });
    } catch (error) {
      if (error instanceof BodyTooLarge) return sendPage(response, 413, errorPage(error.message));
      // An interaction starts at `/auth` and expires after an hour or with this process.
      if (!(error instanceof errors.SessionNotFound)) throw error;
      sendPage(response, 400, errorPage('This sign-in has expired, or was started in another browser.'));
    }
  };
}
