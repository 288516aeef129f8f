import { useState } from 'react';
import { keysTexts as texts } from '../../texts/keys.js';
import { Button } from '../../ui/button.js';
import { KeptKey } from '../../ui/kept-key.js';
import { Page } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { forgetNewKey, type NewKey } from './new-key.js';
import { RevokeDialog } from './revoke-dialog.js';

/** A new key, this once. */
export function NewKeyPage({ value }: { readonly value: NewKey }) {
  const { id, name, secret } = value;
  const [isRevoking, setRevoking] = useState(false);
  const finish = () => {
    forgetNewKey();
    toast(texts.kept);
  };
  return (
    <Page title={texts.newTitle} hint={texts.newText}>
      <section className="card stack">
        <KeptKey
          label={texts.key(name)}
          value={secret}
          sheet={{ name: texts.sheetName, text: texts.sheet(name, secret) }}
          onKept={finish}
        />
      </section>
      <div className="actions after">
        <Button kind="quiet" onPress={() => setRevoking(true)}>
          {texts.lose}
        </Button>
      </div>
      {isRevoking && (
        <RevokeDialog id={id} name={name} onRevoked={forgetNewKey} onClose={() => setRevoking(false)} />
      )}
    </Page>
  );
}
