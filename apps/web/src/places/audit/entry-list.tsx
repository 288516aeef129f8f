import { commonTexts } from '../../texts/common.js';
import { auditTexts as texts } from '../../texts/audit.js';
import { Button } from '../../ui/button.js';
import { List } from '../../ui/list.js';
import { focusHeading } from '../../ui/page.js';
import { Empty, Failed, Loading } from '../../ui/states.js';
import { Entry } from './entry.js';
import { hasDaysInOrder, isFiltered, type AuditFilter } from './filter-address.js';
import { useEntries } from './use-audit.js';

interface Props {
  readonly filter: AuditFilter;
  readonly onChange: (filter: AuditFilter) => void;
}

/** The entries of a filter. */
export function EntryList({ filter, onChange }: Props) {
  const entries = useEntries(filter);
  // Says what is wrong beside the days.
  if (!hasDaysInOrder(filter)) return null;
  if (entries.isPending) return <Loading />;
  if (entries.isError) return <Failed error={entries.error} retry={() => void entries.refetch()} />;
  const all = entries.data.pages.flatMap((page) => page.entries);
  if (all.length === 0) return <Empty icon="log" text={isFiltered(filter) ? texts.none : texts.empty} />;
  const more = async () => {
    const { hasNextPage } = await entries.fetchNextPage();
    // The button, which had the focus, is gone.
    if (!hasNextPage) focusHeading();
  };
  return (
    <div aria-busy={entries.isPlaceholderData}>
      <List label={texts.list} items={all} keyOf={({ event_id: id }) => id}>
        {(entry) => <Entry entry={entry} onActor={(actor) => onChange({ ...filter, actor })} />}
      </List>
      {entries.hasNextPage && (
        <div className="actions after">
          <Button kind="quiet" isBusy={entries.isFetchingNextPage} onPress={() => void more()}>
            {commonTexts.more}
          </Button>
        </div>
      )}
    </div>
  );
}
