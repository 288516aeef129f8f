import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, paginate, type Schema } from '@vaultsvc/client';
import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useKept } from '../../../api/kept.js';
import { useClient } from '../../../session/session-context.js';
import { vaultKeysTexts as texts } from '../../../texts/vault-keys.js';
import { Button } from '../../../ui/button.js';
import { Choice } from '../../../ui/choice.js';
import { Field } from '../../../ui/field.js';
import { focusHeading } from '../../../ui/page.js';
import { Select } from '../../../ui/select.js';
import { Problem } from '../../../ui/states.js';
import { vaultKeys } from '../open/vault-queries.js';
import { newKey, noKey, type NewKey } from './new-key.js';

type User = Schema<'User'>;

const types = [
  { value: 'user', text: texts.forPerson, hint: texts.forPersonHint },
  { value: 'nhi', text: texts.forMachine, hint: texts.forMachineHint },
] as const;
const levels = [
  { value: 'read', text: texts.levelRead },
  { value: 'read_write', text: texts.levelWrite },
] as const;

/** Asks for whom a key is, and for the master key. */
export function KeyForm({ vaultId }: { readonly vaultId: string }) {
  const draft = useKept(newKey);
  const people = usePeople();
  const [vmk, setVmk] = useState('');
  const { isBusy, problem, create } = useCreation(vaultId);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void create(draft, vmk.trim(), nameOf(draft, people.data ?? []));
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      <Grantee draft={draft} people={people.data ?? []} />
      <Choice
        label={texts.level}
        options={levels}
        value={draft.level}
        onChange={(level) => newKey.update({ level })}
      />
      <Field
        label={texts.vmk}
        hint={texts.vmkHint}
        type="password"
        autoComplete="current-password"
        value={vmk}
        onChange={setVmk}
        maxLength={200}
      />
      {people.isError && <Problem>{errorText(people.error)}</Problem>}
      {problem !== undefined && <Problem>{problem}</Problem>}
      <div className="actions">
        <Button type="submit" isBusy={isBusy}>
          {texts.submit}
        </Button>
        <Button kind="quiet" onPress={leave}>
          {texts.back}
        </Button>
      </div>
    </form>
  );
}

function leave(): void {
  newKey.set(noKey);
  focusHeading();
}

function nameOf({ type, userId, description }: NewKey, people: readonly User[]): string {
  if (type === 'nhi') return description;
  return people.find(({ user_id: own }) => own === userId)?.email ?? '';
}

/** A person or a program. */
function Grantee({ draft, people }: { readonly draft: NewKey; readonly people: readonly User[] }) {
  return (
    <>
      <Choice
        label={texts.for}
        options={types}
        value={draft.type}
        onChange={(type) => newKey.update({ type })}
      />
      {draft.type === 'user' ? (
        <Select
          label={texts.who}
          value={draft.userId}
          onChange={(userId) => newKey.update({ userId })}
          options={[
            { value: '', text: texts.choose },
            ...people.map(({ user_id: value, email }) => ({ value, text: email })),
          ]}
        />
      ) : (
        <Field
          label={texts.description}
          hint={texts.descriptionHint}
          value={draft.description}
          onChange={(description) => newKey.update({ description })}
          maxLength={255}
          autoComplete="off"
        />
      )}
    </>
  );
}

/** Checks, creates, and shows what is wrong. */
function useCreation(vaultId: string) {
  const createKey = useCreate(vaultId);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const create = async (draft: NewKey, vmk: string, name: string) => {
    const missing = missingIn(draft, vmk);
    setProblem(missing);
    if (missing !== undefined || isBusy) return;
    setBusy(true);
    try {
      await createKey(draft, vmk, name);
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return { isBusy, problem, create };
}

function missingIn({ type, userId, description }: NewKey, vmk: string): string | undefined {
  if (type === 'user' && userId === '') return texts.noPerson;
  if (type === 'nhi' && description.trim() === '') return texts.noDescription;
  return vmk.trim() === '' ? texts.wrongKey : undefined;
}

function problemOf(error: unknown): string {
  return error instanceof ApiError && error.status === 412 ? texts.wrongKey : errorText(error);
}

/** Those who have joined: nobody else can use a key. */
function usePeople() {
  const client = useClient();
  return useQuery({
    queryKey: ['vaults', 'people'],
    queryFn: async ({ signal }) => {
      const people: User[] = [];
      for await (const user of paginate(client, '/v1/users', { params: { query: { limit: 100 } }, signal }))
        people.push(user);
      return people.filter(({ status }) => status === 'active');
    },
  });
}

/** Creates a key, and shows it. Rejects with the refusal. */
function useCreate(vaultId: string) {
  const client = useClient();
  const queries = useQueryClient();
  return async ({ type, userId, description, level }: NewKey, vmk: string, name: string): Promise<void> => {
    const grant = type === 'user' ? { authorized_user_id: userId } : { nhi_description: description };
    const { data } = await client.POST('/v1/vaults/{vault_id}/dvaks', {
      params: { path: { vault_id: vaultId } },
      body: { vmk, dvak_type: type, access_level: level, ...grant },
    });
    newKey.set({ ...noKey, created: { vaultId, name, key: data.dvak_token } });
    focusHeading();
    void queries.invalidateQueries({ queryKey: vaultKeys.keys(vaultId) });
  };
}
