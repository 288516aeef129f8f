import { auditTexts as texts } from '../../texts/audit.js';
import { Button } from '../../ui/button.js';
import { Select } from '../../ui/select.js';
import { Problem } from '../../ui/states.js';
import { DayField } from './day-field.js';
import { typeText } from './entry-words.js';
import { hasDaysInOrder, isFiltered, type AuditFilter } from './filter-address.js';
import { useActors, useEntries, type ActorName } from './use-audit.js';

const ALL = '';

interface Props {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

/** Type, actor and days of the entries; each applies at once. */
export function Filters({ filter, onChange }: Props) {
  const { type = ALL, actor = ALL, from = '', to = '' } = filter;
  const types = useEntries({}).data?.pages[0]?.event_types ?? [];
  const actors = useActors().data ?? [];
  return (
    <section className="card stack" aria-label={texts.filters}>
      <div className="filters">
        <Select
          label={texts.type}
          options={typeOptions(types, type)}
          value={type}
          onChange={(value) => onChange({ ...filter, type: value })}
        />
        <Select
          label={texts.actor}
          options={actorOptions(actors, actor)}
          value={actor}
          onChange={(value) => onChange({ ...filter, actor: value })}
        />
        <DayField
          label={texts.from}
          value={from}
          onChange={(value) => onChange({ ...filter, from: value })}
        />
        <DayField label={texts.to} value={to} onChange={(value) => onChange({ ...filter, to: value })} />
      </div>
      {!hasDaysInOrder(filter) && <Problem>{texts.wrongDays}</Problem>}
      <div className="actions">
        <Button kind="quiet" isDisabled={!isFiltered(filter)} onPress={() => onChange({})}>
          {texts.clear}
        </Button>
      </div>
    </section>
  );
}

/** By their words, with that of the address, which may be an older one. */
function typeOptions(types: readonly string[], chosen: string) {
  const offered = [...new Set([...types, chosen])].filter((type) => type !== ALL);
  const options = offered.map((value) => ({ value, text: typeText(value) }));
  return [
    { value: ALL, text: texts.allTypes },
    ...options.toSorted((one, other) => one.text.localeCompare(other.text)),
  ];
}

/** With that of the address, which may be a visitor, or a person who has left. */
function actorOptions(actors: readonly ActorName[], chosen: string) {
  const isListed = chosen === ALL || actors.some(({ id }) => id === chosen);
  return [
    { value: ALL, text: texts.everybody },
    ...actors.map(({ id, kind, name }) => ({
      value: id,
      text: kind === 'api_key' ? texts.keyNamed(name) : name,
    })),
    ...(isListed ? [] : [{ value: chosen, text: texts.otherActor(chosen) }]),
  ];
}
