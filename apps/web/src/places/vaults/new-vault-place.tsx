import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../api/error-text.js';
import { useKept } from '../../api/kept.js';
import { useClient } from '../../session/session-context.js';
import { newVaultTexts as texts } from '../../texts/new-vault.js';
import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import { KeptKey } from '../../ui/kept-key.js';
import { dateText } from '../../ui/format.js';
import { Page } from '../../ui/page.js';
import { Problem } from '../../ui/states.js';
import { newVault, type NewKey } from './new/new-vault.js';
import { vaultKeys } from './open/vault-queries.js';
import { WaitingNotice } from './waiting/waiting-notice.js';

/** Creates a vault, and goes on once its key is kept. */
export function Place() {
  const { created } = useKept(newVault);
  return created ? <KeepKey created={created} /> : <CreateVault />;
}

/** Creates the vault that is named, and keeps its key for the next step. */
function useCreation() {
  const client = useClient();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const create = async (name: string) => {
    if (name.trim() === '') return setProblem(texts.nameless);
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const { data } = await client.POST('/v1/vaults', { body: { name } });
      const { vault_id: vaultId, name: vault, vmk: key, created_at: createdAt } = data;
      newVault.set({ name: '', created: { vaultId, vault, key, createdAt } });
      void queries.invalidateQueries({ queryKey: vaultKeys.list });
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return { isBusy, problem, create };
}

function CreateVault() {
  const { name } = useKept(newVault);
  const { isBusy, problem, create } = useCreation();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void create(name);
  };
  return (
    <Page title={texts.title} hint={texts.hint} focusesContent>
      <div className="stack">
        <WaitingNotice page={{ kind: 'create' }} />
        <form className="card stack" onSubmit={submit} noValidate>
          <Field
            label={texts.name}
            hint={texts.nameHint}
            value={name}
            onChange={(text) => newVault.update({ name: text })}
            maxLength={200}
            autoComplete="off"
            autoFocus
          />
          {problem !== undefined && <Problem>{problem}</Problem>}
          <Button type="submit" isBusy={isBusy}>
            {texts.create}
          </Button>
        </form>
      </div>
    </Page>
  );
}

function KeepKey({ created: { vaultId, vault, key, createdAt } }: { readonly created: NewKey }) {
  const navigate = useNavigate();
  const go = () => {
    newVault.set({ name: '', created: undefined });
    void navigate({ to: '/vaults/$vaultId', params: { vaultId } });
  };
  return (
    <Page title={texts.keyTitle} hint={texts.keyText}>
      <div className="card stack">
        <KeptKey
          label={texts.key}
          value={key}
          sheet={{ text: texts.sheet(vault, vaultId, key, dateText(createdAt)), name: texts.sheetName }}
          onKept={go}
        >
          <p>{texts.second}</p>
        </KeptKey>
      </div>
    </Page>
  );
}
