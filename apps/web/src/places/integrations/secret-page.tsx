import { integrationsTexts as texts } from '../../texts/integrations.js';
import { KeptKey } from '../../ui/kept-key.js';
import { Page } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { sessionSecretStore, type SessionSecret } from './session-secret.js';

/** A new session secret of an org, this once. */
export function SecretPage({ value: { org, secret } }: { readonly value: SessionSecret }) {
  const finish = () => {
    sessionSecretStore.set({ kept: undefined });
    toast(texts.secretKept);
  };
  return (
    <Page title={texts.secretTitle} hint={texts.secretText}>
      <section className="card stack">
        <KeptKey
          label={texts.secret(org)}
          value={secret}
          sheet={{ name: texts.secretSheetName, text: texts.secretSheet(org, secret) }}
          onKept={finish}
        />
      </section>
    </Page>
  );
}
