// A page that uses the client: the session of a person in all its tabs, and an upload that survives a reload.
import { BrowserSession, createClient, unseal, upload, WebResumeStore } from '@vaultsvc/client';
import { elementOf, onFile } from '../browser/page-element.client.ts';

const parameters = new URLSearchParams(location.search);
const [api, forge, proxy] = [parameterOf('api'), parameterOf('forge'), parameterOf('proxy')];
const shown = elementOf('state', HTMLOutputElement);

function parameterOf(name: string) {
  const value = parameters.get(name);
  if (value === null) throw new Error(`the address of the page has no ${name}`);
  return value;
}

/** Transfer URLs lead through a proxy. */
async function throughProxy(request: Request) {
  const response = await fetch(request);
  if (!request.url.endsWith('/ingots')) return response;
  return new Response((await response.text()).replaceAll(forge, proxy), response);
}

/** Keeps when renewals began and ended, for comparison with those of other tabs. */
let noted: { began: number; ended: number; status: number }[] = [];
async function noting(request: Request) {
  const began = Date.now();
  const response = await fetch(request);
  if (request.url.endsWith('/v1/auth/refresh'))
    noted.push({ began, ended: Date.now(), status: response.status });
  return response;
}

const session = new BrowserSession({ url: api, fetch: noting });
const client = createClient({ url: api, session, fetch: throughProxy });

/** Signs a new person up. */
export async function signUp(grant: { code: string; code_verifier: string }) {
  await session.signIn(grant);
  await session.replace('/v1/auth/complete-signup', { organization_name: 'A page' });
}

export const role = async () => (await client.GET('/v1/me')).data.role;
/** Renews the session as after a refused call. */
export const renew = async () => session.renewAfter((await session.accessToken()) ?? '');
/** Two callers of this page need a new token at the same time. */
export const renewTwice = () => Promise.all([renew(), renew()]);
/** The renewals since the last call. */
export function renewals() {
  const since = noted;
  noted = [];
  return since;
}
export const end = () => session.end();
/** Creates a vault and resolves with its id and key. */
export const createVault = async () =>
  (await client.POST('/v1/vaults', { body: { name: `page ${Date.now()}` } })).data;

/** The page of a vault: it uploads the file that the person chooses. */
export async function openVault({ vault_id, vmk }: { vault_id: string; vmk: string }) {
  const vault = await unseal(client, vault_id, { vmk });
  onFile(elementOf('file', HTMLInputElement), async (file) => {
    shown.textContent = 'uploading';
    const { ingotId } = await upload(vault, file, {
      resume: new WebResumeStore(localStorage),
      onProgress: ({ bytes }) => {
        shown.dataset.bytes = String(bytes);
      },
    });
    shown.textContent = `complete ${ingotId}`;
  });
}
