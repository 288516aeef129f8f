import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../../api/error-text.js';
import { commonTexts } from '../../../texts/common.js';
import { secretsTexts as texts } from '../../../texts/secrets.js';
import { Button } from '../../../ui/button.js';
import { Dialog } from '../../../ui/dialog.js';
import { Field } from '../../../ui/field.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { vaultKeys } from '../open/vault-queries.js';

interface Props {
  readonly names: readonly string[];
  readonly onClose: () => void;
}

/** Creates an empty set of secrets. */
export function NewSet({ names, onClose }: Props) {
  const [name, setName] = useState('');
  const { isBusy, problem, create } = useCreation(names);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void create(name);
  };
  return (
    <Dialog title={texts.newSet} onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        <Field
          label={texts.setName}
          value={name}
          onChange={setName}
          problem={problem}
          maxLength={255}
          autoComplete="off"
          autoFocus
        />
        <div className="actions">
          <Button type="submit" isBusy={isBusy} isDisabled={name.trim() === ''}>
            {texts.createSet}
          </Button>
          <Button kind="quiet" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The API overwrites a set that has the name, so that this is refused here. */
function useCreation(names: readonly string[]) {
  const { client, vaultId } = useOpenVault();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const create = async (name: string) => {
    const isTaken = names.some((one) => one.toLowerCase() === name.toLowerCase());
    if (isTaken) return setProblem(texts.setExists);
    if (isBusy) return;
    setBusy(true);
    try {
      const params = { path: { vault_id: vaultId } };
      const body = { name, data: {} };
      const { data } = await client.POST('/v1/products/structured-ingots/{vault_id}', { params, body });
      void queries.invalidateQueries({ queryKey: vaultKeys.secrets(vaultId) });
      const to = { vaultId, ingotId: data.ingot_id };
      await navigate({ to: '/vaults/$vaultId/secrets/$ingotId', params: to });
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  };
  return { isBusy, problem, create };
}
