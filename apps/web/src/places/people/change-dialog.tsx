import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '@vaultsvc/client';
import { useState } from 'react';
import { errorText } from '../../api/error-text.js';
import { queryKeys } from '../../api/query-keys.js';
import { useClient, useMember, useSession } from '../../session/session-context.js';
import { peopleTexts as texts } from '../../texts/people.js';
import { FormDialog } from '../../ui/dialog.js';
import { toast } from '../../ui/toast.js';
import type { Person } from './person-rights.js';
import { RoleFields, type Rights } from './role-fields.js';

interface Props {
  readonly person: Person;
  readonly onClose: () => void;
}

/** Changes role and seat of a person, who may be oneself. */
export function ChangeDialog({ person, onClose }: Props) {
  const client = useClient();
  const session = useSession();
  const queries = useQueryClient();
  const me = useMember();
  const [rights, setRights] = useState<Rights>({ role: person.role, seat: person.seat });
  const isMyself = person.user_id === me.user.user_id;
  const change = async () => {
    const params = { path: { user_id: person.user_id } };
    await client.PATCH('/v1/users/{user_id}', { params, body: rights });
    if (isMyself) await session.refresh();
    await queries.invalidateQueries({ queryKey: queryKeys.people });
    toast(texts.changed);
  };
  return (
    <FormDialog
      title={texts.changeTitle}
      submit={texts.save}
      isDisabled={rights.role === person.role && rights.seat === person.seat}
      act={change}
      explain={explain}
      onClose={onClose}
    >
      <p>
        <bdi>{person.name ?? person.email}</bdi>. {texts.changeHint}
      </p>
      <RoleFields rights={rights} onChange={setRights} />
      {isMyself && rights.role !== person.role && <p className="remark">{texts.stepDown}</p>}
    </FormDialog>
  );
}

function explain(error: unknown): string {
  return error instanceof ApiError && error.reason === 'LAST_OWNER' ? texts.lastOwner : errorText(error);
}
