import { useState } from 'react';
import { useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { commonTexts } from '../../texts/common.js';
import { peopleTexts as texts } from '../../texts/people.js';
import { Button } from '../../ui/button.js';
import { List } from '../../ui/list.js';
import { Page } from '../../ui/page.js';
import { Failed, Loading } from '../../ui/states.js';
import { ChangeDialog } from './change-dialog.js';
import { InviteDialog } from './invite-dialog.js';
import { PersonItem } from './person-item.js';
import type { Person } from './person-rights.js';
import { RemoveDialog } from './remove-dialog.js';
import { usePeople } from './use-people.js';

type Task = { readonly type: 'invite' } | { readonly type: 'change' | 'remove'; readonly person: Person };

/** Who belongs to the organization; admins and owners invite, change and remove. */
export function Place() {
  return <PeoplePage />;
}

interface PageProps {
  /** What is open at first. */
  readonly begins?: 'invite';
  /** That has been closed. */
  readonly onEnd?: () => void;
}

export function PeoplePage({ begins, onEnd }: PageProps) {
  const canManage = isManager(useMember());
  const [task, setTask] = useState<Task | undefined>(begins && canManage ? { type: begins } : undefined);
  const close = () => {
    setTask(undefined);
    onEnd?.();
  };
  const invite = <Button onPress={() => setTask({ type: 'invite' })}>{texts.invite}</Button>;
  return (
    <Page
      title={texts.title}
      hint={canManage ? texts.hint : `${texts.hint} ${texts.readOnly}`}
      actions={canManage && invite}
    >
      <People onTask={setTask} />
      {task?.type === 'invite' && <InviteDialog onClose={close} />}
      {task?.type === 'change' && <ChangeDialog person={task.person} onClose={close} />}
      {task?.type === 'remove' && <RemoveDialog person={task.person} onClose={close} />}
    </Page>
  );
}

function People({ onTask }: { readonly onTask: (task: Task) => void }) {
  const people = usePeople();
  if (people.isPending) return <Loading />;
  if (people.isError) return <Failed error={people.error} retry={() => void people.refetch()} />;
  return (
    <>
      <List
        label={texts.list}
        items={people.data.pages.flatMap(({ users }) => users)}
        keyOf={({ user_id: id }) => id}
      >
        {(person) => (
          <PersonItem
            person={person}
            onChange={() => onTask({ type: 'change', person })}
            onRemove={() => onTask({ type: 'remove', person })}
          />
        )}
      </List>
      {people.hasNextPage && (
        <div className="actions after">
          <Button kind="quiet" isBusy={people.isFetchingNextPage} onPress={() => void people.fetchNextPage()}>
            {commonTexts.more}
          </Button>
        </div>
      )}
    </>
  );
}
