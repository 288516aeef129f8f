import { useQueryClient } from '@tanstack/react-query';
import { queryKeys } from '../../api/query-keys.js';
import { useClient, useMember, useSession } from '../../session/session-context.js';
import { peopleTexts as texts } from '../../texts/people.js';
import { ConfirmDialog } from '../../ui/dialog.js';
import { toast } from '../../ui/toast.js';
import type { Person } from './person-rights.js';

interface Props {
  readonly person: Person;
  readonly onClose: () => void;
}

/** Removes a person, withdraws an invitation, or leaves the organization. */
export function RemoveDialog({ person, onClose }: Props) {
  const client = useClient();
  const session = useSession();
  const queries = useQueryClient();
  const me = useMember();
  const isMyself = person.user_id === me.user.user_id;
  const words = wordsFor(person, isMyself);
  const remove = async () => {
    await client.DELETE('/v1/users/{user_id}', { params: { path: { user_id: person.user_id } } });
    // The session has ended with the removal; this tells the other tabs.
    if (isMyself) return session.end().catch(() => session.giveUp());
    await queries.invalidateQueries({ queryKey: queryKeys.people });
    toast(words.done);
  };
  return <ConfirmDialog {...words} act={remove} onClose={onClose} />;
}

function wordsFor({ status, name, email }: Person, isMyself: boolean) {
  if (isMyself) return { title: texts.leaveTitle, text: texts.leaveText, confirm: texts.leave, done: '' };
  if (status === 'invited')
    return {
      title: texts.withdrawTitle,
      text: texts.withdrawText(email),
      confirm: texts.withdraw,
      done: texts.withdrawn,
    };
  return {
    title: texts.removeTitle,
    text: texts.removeText(name ?? email),
    confirm: texts.remove,
    done: texts.removed,
  };
}
