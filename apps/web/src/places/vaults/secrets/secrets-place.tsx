import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { secretsTexts as texts } from '../../../texts/secrets.js';
import { Button } from '../../../ui/button.js';
import { momentText } from '../../../ui/format.js';
import { List, Row } from '../../../ui/list.js';
import { Empty, Failed, Loading } from '../../../ui/states.js';
import { useMayWrite, useOpenVault } from '../open/use-open-vault.js';
import { VaultPage } from '../open/vault-page.js';
import { NewSet } from './new-set.js';
import { SETS_MAX, useSets } from './use-secrets.js';

/** The sets of secrets of a vault. */
export function Place() {
  return (
    <VaultPage>
      <Sets />
    </VaultPage>
  );
}

function Sets() {
  const sets = useSets();
  const mayWrite = useMayWrite();
  const [isCreating, setCreating] = useState(false);
  if (sets.isPending) return <Loading />;
  if (sets.isError) return <Failed error={sets.error} retry={() => void sets.refetch()} />;
  const names = sets.data.map(({ name }) => name);
  return (
    <>
      {mayWrite && (
        <div className="actions">
          <Button icon="key" onPress={() => setCreating(true)}>
            {texts.newSet}
          </Button>
        </div>
      )}
      {sets.data.length === 0 ? (
        <Empty icon="key" text={texts.empty} />
      ) : (
        <List label={texts.list} items={sets.data} keyOf={({ ingot_id: id }) => id}>
          {({ ingot_id: ingotId, name, updated_at: changed }) => (
            <SetRow ingotId={ingotId} name={name} changed={changed} />
          )}
        </List>
      )}
      {sets.data.length >= SETS_MAX && <p className="hint">{texts.partial}</p>}
      {isCreating && <NewSet names={names} onClose={() => setCreating(false)} />}
    </>
  );
}

function SetRow(props: { readonly ingotId: string; readonly name: string; readonly changed: number }) {
  const { vaultId } = useOpenVault();
  const { ingotId, name, changed } = props;
  const title = (
    <Link to="/vaults/$vaultId/secrets/$ingotId" params={{ vaultId, ingotId }} className="row-link">
      <bdi>{name}</bdi>
    </Link>
  );
  return <Row title={title} details={texts.changed(momentText(changed))} />;
}
