import type { PasskeyOptions } from '@vaultsvc/contracts/sparks';
import { actions, button, element, paragraph, setDisabled } from '../../page-client/elements.js';
import { verifyByCode } from './code-verification.js';
import { type CodeMethod, type LinkApi, LinkError } from './link-api.js';
import { retryProblem } from './retry-problem.js';
import { showScreen } from './screen.js';

/** Verifies the visitor by a passkey, which is enrolled after a code if there is none. Rejects as `verifyByCode`. */
export async function verifyByPasskey(link: LinkApi, enrollment: readonly CodeMethod[]): Promise<void> {
  while (!(await askPasskey(link, known))) {
    await verifyByCode(link, enrollment);
    if (await askPasskey(link, enrolled)) return;
  }
}

/** The texts of a screen that asks for a passkey. */
interface PasskeyScreen {
  readonly isEnrolling: boolean;
  readonly title: string;
  readonly text: string;
  readonly use: string;
  readonly other: string;
}

const known: PasskeyScreen = {
  isEnrolling: false,
  title: 'Confirm who you are',
  text: 'The sender wants to know who opens this link. Use the passkey that you have created for this sender.',
  use: 'Use my passkey',
  other: 'I have no passkey yet',
};

const enrolled: PasskeyScreen = {
  isEnrolling: true,
  title: 'Create your passkey',
  text: 'Your device asks for your fingerprint, your face or a PIN. The passkey also opens later links of this sender. If you already have one, it is used.',
  use: 'Continue',
  other: 'Start again',
};

/** Resolves with true for an accepted passkey, with false when the visitor chooses the other way. */
function askPasskey(
  link: LinkApi,
  { isEnrolling, title, text, use, other }: PasskeyScreen,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const problem = element('p', { class: 'problem', role: 'alert' });
    const proceed = button(use, () => {
      problem.textContent = '';
      setDisabled(proceed, true);
      provePasskey(link, isEnrolling)
        .then(() => resolve(true))
        .catch((error: unknown) => {
          problem.textContent = problemOf(error) ?? '';
          if (!problem.textContent) reject(error as Error);
        })
        .finally(() => setDisabled(proceed, false));
    });
    showScreen({
      icon: 'person',
      title,
      parts: [
        paragraph(text),
        problem,
        actions(
          proceed,
          button(other, () => resolve(false), 'quiet'),
        ),
      ],
    });
    if (hasPasskeys()) return;
    setDisabled(proceed, true);
    problem.textContent = 'This browser cannot use passkeys. Open the link in a newer one.';
  });
}

/** Each try has options of its own: a challenge is valid once. */
async function provePasskey(link: LinkApi, isEnrolling: boolean): Promise<void> {
  const credential = await credentialFor(await link.startPasskey(isEnrolling));
  if (!(credential instanceof PublicKeyCredential)) throw new Error('the browser returned no passkey');
  await link.verifyPasskey(credential.toJSON());
}

/** An identity that has a passkey gets options for that one, after a code too. */
function credentialFor({ type, options }: PasskeyOptions): Promise<Credential | null> {
  const json: unknown = options;
  if (type === 'registration') {
    const creation = json as PublicKeyCredentialCreationOptionsJSON;
    return navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(creation),
    });
  }
  const request = json as PublicKeyCredentialRequestOptionsJSON;
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(request) });
}

/** Whether the browser knows passkeys, and their options as JSON (WebAuthn Level 3, 5.1.10). */
function hasPasskeys(): boolean {
  const { PublicKeyCredential: api } = window as { PublicKeyCredential?: object };
  return api !== undefined && 'parseRequestOptionsFromJSON' in api;
}

/** The message for an error that the visitor can correct; undefined for others. */
function problemOf(error: unknown): string | undefined {
  // Browsers do not tell a script whether the visitor cancelled, or has no passkey (WebAuthn Level 3, 14.5.2).
  if (!(error instanceof LinkError)) return 'Your browser has not used a passkey. Please try again.';
  const { status, details } = error;
  if (details.verification) return 'The code is no longer valid. Please start again.';
  if (status === 401)
    return 'This passkey was not accepted. Use the one that you have created for this sender.';
  if (status === 409) return 'Passkeys do not work at this address. Please ask the sender for another link.';
  return retryProblem(error);
}
