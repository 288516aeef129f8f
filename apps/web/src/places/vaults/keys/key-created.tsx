import { vaultKeysTexts as texts } from '../../../texts/vault-keys.js';
import { Button } from '../../../ui/button.js';
import { copy } from '../../../ui/copy.js';
import { KeptKey } from '../../../ui/kept-key.js';
import { focusHeading } from '../../../ui/page.js';
import { SecretValue } from '../../../ui/secret-value.js';
import { newKey, noKey, type CreatedKey } from './new-key.js';

/** A new key, shown once, with the line that uses it. */
export function KeyCreated({ created: { vaultId, name, key } }: { readonly created: CreatedKey }) {
  const line = texts.command(vaultId);
  const leave = () => {
    newKey.set(noKey);
    focusHeading();
  };
  return (
    <section className="card stack">
      <h2>{texts.keyTitle}</h2>
      <p>{texts.keyText(name)}</p>
      <KeptKey
        label={texts.key}
        value={key}
        sheet={{ text: texts.sheet(name, vaultId, key), name: texts.sheetName }}
        onKept={leave}
      >
        <SecretValue label={texts.line} value={line} />
        <p className="hint">{texts.lineHint}</p>
        <div className="actions">
          <Button kind="quiet" icon="copy" onPress={() => void copy(line)}>
            {texts.copyLine}
          </Button>
        </div>
      </KeptKey>
    </section>
  );
}
