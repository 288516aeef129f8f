import { useRef, type KeyboardEvent } from 'react';
import { composeTexts as texts } from '../../../texts/notify-compose.js';
import { Button } from '../../../ui/button.js';
import { Field } from '../../../ui/field.js';
import { useColleagues } from '../shared/use-colleagues.js';
import { edit, type Draft, type Recipient } from './draft.js';
import { merged, suggestions } from './recipient-text.js';

interface Props {
  readonly draft: Draft;
  readonly problem: string | undefined;
  /** Adds what is typed. */
  readonly onAdd: () => void;
}

/** Recipients by name or address; Enter adds what is typed, and the focus stays in the field. */
export function RecipientsField({ draft: { recipients, typed }, problem, onAdd }: Props) {
  const group = useRef<HTMLFieldSetElement>(null);
  const { data: colleagues = [] } = useColleagues();
  const focusField = () => group.current?.querySelector('input')?.focus();
  const add = (one: Recipient) => {
    edit({ recipients: merged(recipients, [one]), typed: '' });
    focusField();
  };
  const remove = (address: string) => {
    edit({ recipients: recipients.filter((one) => one.address !== address) });
    focusField();
  };
  const addByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
    // Otherwise the form would be submitted.
    event.preventDefault();
    onAdd();
  };
  const offered = suggestions(typed, colleagues, recipients);
  return (
    <fieldset className="plain stack tight" ref={group} onKeyDown={addByEnter}>
      <legend>{texts.recipients}</legend>
      {recipients.length > 0 && <Added recipients={recipients} onRemove={remove} />}
      <div className="with-button">
        <Field
          label={texts.add}
          hint={texts.addHint}
          value={typed}
          onChange={(text) => edit({ typed: text })}
          problem={problem}
          autoComplete="off"
          autoFocus
        />
        <Button kind="quiet" onPress={onAdd} isDisabled={typed.trim() === ''}>
          {texts.addButton}
        </Button>
      </div>
      {offered.length > 0 && <Offered people={offered} onAdd={add} />}
    </fieldset>
  );
}

interface OfferedProps {
  readonly people: readonly Recipient[];
  readonly onAdd: (one: Recipient) => void;
}

function Offered({ people, onAdd }: OfferedProps) {
  return (
    <div className="chips" role="group" aria-label={texts.suggestions}>
      {people.map((one) => (
        <Button key={one.address} kind="quiet" onPress={() => onAdd(one)}>
          {texts.addPerson(one.name ?? one.address)}
        </Button>
      ))}
    </div>
  );
}

interface AddedProps {
  readonly recipients: readonly Recipient[];
  readonly onRemove: (address: string) => void;
}

function Added({ recipients, onRemove }: AddedProps) {
  return (
    <ul className="chips" aria-label={texts.added}>
      {recipients.map(({ address, name }) => (
        <li key={address} className="chip">
          <bdi>{name ?? address}</bdi>
          <button
            type="button"
            className="chip-remove"
            aria-label={texts.remove(name ?? address)}
            onClick={() => onRemove(address)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}
