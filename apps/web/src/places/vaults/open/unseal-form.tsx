import { ApiError } from '@vaultsvc/client';
import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../../api/error-text.js';
import { useKept } from '../../../api/kept.js';
import { useClient } from '../../../session/session-context.js';
import { unsealTexts as texts } from '../../../texts/vault.js';
import { Button } from '../../../ui/button.js';
import { Field } from '../../../ui/field.js';
import { Select } from '../../../ui/select.js';
import { openVault, openVaults } from './open-vaults.js';

interface Props {
  readonly vaultId: string;
  readonly name: string;
  readonly isOpenElsewhere: boolean;
}

const durations = ['3600', '900', '14400', '28800', '86400'] as const;

/** Asks for a key. A form with the name of the vault as its user, so that password managers keep and fill the key. */
export function UnsealForm({ vaultId, name, isOpenElsewhere }: Props) {
  const reason = useKept(openVaults).closed[vaultId];
  const [key, setKey] = useState('');
  const [seconds, setSeconds] = useState<(typeof durations)[number]>('3600');
  const { isBusy, problem, open } = useOpening(vaultId);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    void open(key.trim(), Number(seconds));
  };
  return (
    <form className="card stack" onSubmit={submit} noValidate>
      {reason && (
        <p className="remark" role="status">
          {texts.closedBy[reason]}
        </p>
      )}
      <h2>{texts.title}</h2>
      <p className="hint">
        {texts.text} {isOpenElsewhere && texts.openElsewhere}
      </p>
      <Username name={name} />
      <Field
        label={texts.key}
        hint={texts.keyHint}
        type="password"
        autoComplete="current-password"
        value={key}
        onChange={setKey}
        problem={problem}
        maxLength={200}
        autoFocus
      />
      <Select
        label={texts.duration}
        value={seconds}
        onChange={setSeconds}
        options={durations.map((value) => ({ value, text: texts.hours(Number(value)) }))}
      />
      <Button type="submit" icon="key" isBusy={isBusy}>
        {texts.open}
      </Button>
    </form>
  );
}

/** For password managers alone. */
function Username({ name }: { readonly name: string }) {
  return (
    <input
      className="visually-hidden"
      autoComplete="username"
      value={name}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}

function useOpening(vaultId: string) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const open = async (key: string, ttlSeconds: number) => {
    if (key === '') return setProblem(texts.invalid);
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await openVault({ client, vaultId, key, ttlSeconds });
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  return { isBusy, problem, open };
}

/** A delegated key that is not valid is answered with 401, and a malformed one with 400. */
function problemOf(error: unknown): string {
  const status = error instanceof ApiError ? error.status : undefined;
  if (status === 400 || status === 401 || status === 412) return texts.invalid;
  return status === 403 ? texts.anothers : errorText(error);
}
