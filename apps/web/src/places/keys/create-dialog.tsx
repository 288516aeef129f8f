import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../session/session-context.js';
import { keysTexts as texts } from '../../texts/keys.js';
import { FormDialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { Select } from '../../ui/select.js';
import { keysKey } from './use-keys.js';
import { newKeyStore } from './new-key.js';

const NEVER = '0';
const lifetimes = [
  ...[90, 30, 365].map((days) => ({ value: String(days), text: texts.days(days) })),
  { value: NEVER, text: texts.never },
];

/** Creates a key, which the place then shows this once. */
export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const create = async () => {
    const expiry = days === NEVER ? {} : { expires_in_days: Number(days) };
    const { data } = await client.POST('/v1/api-keys', { body: { name, ...expiry } });
    newKeyStore.set({ key: { id: data.api_key_id, name: data.name, secret: data.api_key } });
    void queries.invalidateQueries({ queryKey: keysKey });
  };
  return (
    <FormDialog
      title={texts.createTitle}
      submit={texts.create}
      isDisabled={name.trim() === ''}
      act={create}
      onClose={onClose}
    >
      <p>{texts.createText}</p>
      <Field
        label={texts.name}
        hint={texts.nameHint}
        value={name}
        onChange={setName}
        autoComplete="off"
        maxLength={100}
        autoFocus
      />
      <Select label={texts.expiry} options={lifetimes} value={days} onChange={setDays} />
    </FormDialog>
  );
}
