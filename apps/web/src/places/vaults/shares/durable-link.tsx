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
import { addressOf } from '../../../ui/typed-address.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { useVault, vaultKeys } from '../open/vault-queries.js';
import { useWork } from '../../../ui/use-work.js';

type Sharing = Schema<'IngotSharing'>;
type Visibility = NonNullable<Sharing['visibility']>;

const audiences = ['public', 'authenticated', 'invite_only'] as const;

interface Props {
  readonly ingotId: string;
  readonly onMade: (() => void) | undefined;
}

/** The link of a file that stays: who can open it, and its end. */
export function DurableLink({ ingotId, onMade }: Props) {
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
  return <SharingForm key={sharing.data.updated_at} sharing={sharing.data} onMade={onMade} />;
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

interface FormProps {
  readonly sharing: Sharing;
  readonly onMade: (() => void) | undefined;
}

function SharingForm({ sharing, onMade }: FormProps) {
  const [visibility, setVisibility] = useState<Visibility>(sharing.visibility ?? 'public');
  const [invites, setInvites] = useState(sharing.invites.map(({ identity }) => identity).join('\n'));
  const [wrong, setWrong] = useState<string>();
  const { isBusy, problem, change } = useChange(sharing.ingot_id, onMade);
  const { shared: isShared, link_url: url } = sharing;
  const save = () => {
    const named = visibility === 'invite_only' ? namesOf(invites) : nobody;
    setWrong(named.wrong);
    if (named.wrong !== undefined) return;
    change({ shared: true, visibility, ...named.change }, texts.saved(named.change.invites?.length));
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
      {visibility === 'invite_only' && <PeopleField value={invites} onChange={setInvites} wrong={wrong} />}
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

interface PeopleProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly wrong: string | undefined;
}

function PeopleField({ value, onChange, wrong }: PeopleProps) {
  return (
    <Field
      label={texts.invites}
      hint={texts.invitesHint}
      value={value}
      onChange={onChange}
      problem={wrong}
      rows={3}
      autoComplete="off"
    />
  );
}

interface Named {
  readonly change: Pick<Schema<'SharingChange'>, 'invites'>;
  readonly wrong: string | undefined;
}

const nobody: Named = { change: {}, wrong: undefined };

/** The people of the lines, or what is wrong with them. */
function namesOf(text: string): Named {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const change = { invites: lines.flatMap((line) => addressOf(line) ?? []) };
  if (lines.length === 0) return { change, wrong: texts.nobody };
  const wrong = lines.find((line) => addressOf(line) === undefined);
  return { change, wrong: wrong === undefined ? undefined : texts.notAnAddress(wrong.trim()) };
}

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
function useChange(ingotId: string, onMade: (() => void) | undefined) {
  const { client, vaultId } = useOpenVault();
  const queries = useQueryClient();
  const { isBusy, problem, run } = useWork();
  const change = (body: Schema<'SharingChange'>, said: string) =>
    run(async () => {
      const params = { path: { vault_id: vaultId, ingot_id: ingotId } };
      const { data } = await client.PUT('/v1/vaults/{vault_id}/ingots/{ingot_id}/sharing', { params, body });
      queries.setQueryData([...vaultKeys.inside(vaultId), 'sharing', ingotId], data);
      toast(said);
      if (data.shared) onMade?.();
    });
  return { isBusy, problem, change };
}
