import { useState, type SubmitEvent } from 'react';
import { errorText } from '../../../api/error-text.js';
import { channelTexts } from '../../../texts/notifications.js';
import { mineTexts as texts } from '../../../texts/notify-mine.js';
import { Button } from '../../../ui/button.js';
import { Field } from '../../../ui/field.js';
import { List, Row } from '../../../ui/list.js';
import { Problem } from '../../../ui/states.js';
import { useChange, type Preferences } from './use-preferences.js';

type OptOut = Preferences['categories_off'][number];

/** Categories that are switched off, on one channel or all. */
export function Categories({ preferences: { categories_off: off } }: { readonly preferences: Preferences }) {
  const { isBusy, error, change } = useChange();
  const [name, setName] = useState('');
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (name.trim() === '') return;
    const added = { category: name.trim(), channel: null };
    if (await change({ categories_off: [...off, added] })) setName('');
  };
  const switchOn = (one: OptOut) => void change({ categories_off: off.filter((other) => other !== one) });
  return (
    <section className="card stack">
      <h2>{texts.categories}</h2>
      <p className="hint">{off.length === 0 ? texts.noCategories : texts.categoriesHint}</p>
      {off.length > 0 && (
        <List
          label={texts.categories}
          items={off}
          keyOf={({ category, channel }) => `${channel} ${category}`}
        >
          {(one) => <OffRow one={one} isBusy={isBusy} onSwitch={() => switchOn(one)} />}
        </List>
      )}
      <form className="with-button" onSubmit={(event) => void submit(event)} noValidate>
        <Field label={texts.category} value={name} onChange={setName} autoComplete="off" maxLength={64} />
        <Button kind="quiet" type="submit" isBusy={isBusy} isDisabled={name.trim() === ''}>
          {texts.off}
        </Button>
      </form>
      {error !== undefined && <Problem>{errorText(error)}</Problem>}
    </section>
  );
}

interface OffRowProps {
  readonly one: OptOut;
  readonly isBusy: boolean;
  readonly onSwitch: () => void;
}

function OffRow({ one: { category, channel }, isBusy, onSwitch }: OffRowProps) {
  return (
    <Row
      title={<bdi>{category}</bdi>}
      details={channel && texts.onlyBy(channelTexts[channel])}
      actions={
        <Button kind="quiet" isBusy={isBusy} label={texts.onOf(category)} onPress={onSwitch}>
          {texts.on}
        </Button>
      }
    />
  );
}
