import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useState } from 'react';
import { useClient, useMember } from '../../../session/session-context.js';
import { sharesTexts as texts } from '../../../texts/shares.js';
import { Button } from '../../../ui/button.js';
import { Choice } from '../../../ui/choice.js';
import { copy } from '../../../ui/copy.js';
import { Field } from '../../../ui/field.js';
import { SecretValue } from '../../../ui/secret-value.js';
import { Failed, Loading } from '../../../ui/states.js';
import { toast } from '../../../ui/toast.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { useVault, vaultKeys } from '../open/vault-queries.js';
import { useWork } from './use-work.js';

type Sharing = Schema<'IngotSharing'>;
type Visibility = NonNullable<Sharing['visibility']>;

const audiences = ['public', 'authenticated', 'invite_only'] as const;

/** The link of a file that stays: who can open it, and its end. */
export function DurableLink({ ingotId }: { readonly ingotId: string }) {
  const { client, vaultId } = useOpenVault();
  const vault = useVault(vaultId);
  const sharing = useQuery({
    queryKey: [...vaultKeys.inside(vaultId), 'sharing', ingotId],
    // The link is no secret to this person, but a cache need not keep it.
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
      const { data } = await client.GET('/v1/vaults/{vault_id}/ingots/{ingot_id}/sharing', {
        params,
        signal,
      });
      return data;
    },
  });
  if (sharing.isPending) return <Loading />;
  if (sharing.isError) return <Failed error={sharing.error} retry={() => void sharing.refetch()} />;
  if (vault.data?.public_file_sharing === false) return <SharingOff vaultId={vaultId} />;
  return <SharingForm key={sharing.data.updated_at} sharing={sharing.data} />;
}

/** Links that stay need the consent of an owner or an admin, once for each vault. */
function SharingOff({ vaultId }: { readonly vaultId: string }) {
  const client = useClient();
  const queries = useQueryClient();
  const { user } = useMember();
  const { isBusy, problem, run } = useWork();
  const allow = () =>
    run(async () => {
      const params = { path: { vault_id: vaultId } };
      await client.PUT('/v1/vaults/{vault_id}', { params, body: { public_file_sharing: true } });
      await queries.invalidateQueries({ queryKey: vaultKeys.one(vaultId), exact: true });
    });
  const mayAllow = user.role !== 'member';
  return (
    <>
      <p>
        {texts.off} {!mayAllow && texts.offMember}
      </p>
      {problem}
      {mayAllow && (
        <Button kind="quiet" isBusy={isBusy} onPress={allow}>
          {texts.allow}
        </Button>
      )}
    </>
  );
}

function SharingForm({ sharing }: { readonly sharing: Sharing }) {
  const [visibility, setVisibility] = useState<Visibility>(sharing.visibility ?? 'public');
  const [invites, setInvites] = useState(sharing.invites.map(({ identity }) => identity).join('\n'));
  const { isBusy, problem, change } = useChange(sharing.ingot_id);
  const { shared: isShared, link_url: url } = sharing;
  const save = () => {
    const named = visibility === 'invite_only' ? { invites: linesOf(invites) } : {};
    change({ shared: true, visibility, ...named }, texts.saved);
  };
  return (
    <>
      {isShared && url !== null && <CurrentLink url={url} />}
      <Choice<Visibility>
        label={texts.audience}
        value={visibility}
        onChange={setVisibility}
        options={audiences.map((value) => ({ value, text: texts[value] }))}
      />
      {visibility === 'invite_only' && (
        <Field
          label={texts.invites}
          hint={texts.invitesHint}
          value={invites}
          onChange={setInvites}
          rows={3}
          autoComplete="off"
        />
      )}
      {problem}
      <div className="actions">
        <Button kind={isShared ? 'quiet' : 'main'} isBusy={isBusy} onPress={save}>
          {isShared ? texts.save : texts.create}
        </Button>
        {isShared && (
          <Button kind="quiet" isBusy={isBusy} onPress={() => change({ shared: false }, texts.withdrawn)}>
            {texts.withdraw}
          </Button>
        )}
      </div>
    </>
  );
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function CurrentLink({ url }: { readonly url: string }) {
  return (
    <>
      <SecretValue label={texts.link} value={url} />
      <Button icon="copy" onPress={() => void copy(url)}>
        {texts.copy}
      </Button>
    </>
  );
}

/** Shows what the API has stored. */
function useChange(ingotId: string) {
  const { client, vaultId } = useOpenVault();
  const queries = useQueryClient();
  const { isBusy, problem, run } = useWork();
  const change = (body: Schema<'SharingChange'>, said: string) =>
    run(async () => {
      const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
      const { data } = await client.PUT('/v1/vaults/{vault_id}/ingots/{ingot_id}/sharing', { params, body });
      queries.setQueryData([...vaultKeys.inside(vaultId), 'sharing', ingotId], data);
      toast(said);
    });
  return { isBusy, problem, change };
}
