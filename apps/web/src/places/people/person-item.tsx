import { useMember } from '../../session/session-context.js';
import { isManager } from '../../session/session-state.js';
import { commonTexts } from '../../texts/common.js';
import { peopleTexts as texts } from '../../texts/people.js';
import { roleTexts } from '../../texts/roles.js';
import { Button } from '../../ui/button.js';
import { dateText } from '../../ui/format.js';
import { Badge, Row } from '../../ui/list.js';
import { mayChange, type Person } from './person-rights.js';
import { ResendButton } from './resend-button.js';

interface Props {
  readonly person: Person;
  readonly onChange: () => void;
  readonly onRemove: () => void;
}

/** A person with role, seat and status, and what the viewer may do about them. */
export function PersonItem({ person, onChange, onRemove }: Props) {
  const me = useMember();
  const isInvited = person.status === 'invited';
  const isMyself = person.user_id === me.user.user_id;
  const name = person.name ?? person.email;
  const removal = removalOf(isMyself, isInvited);
  const isOwnersOnly = isManager(me) && !mayChange(me, person);
  return (
    <Row
      title={<bdi>{name}</bdi>}
      state={
        (isMyself && <Badge kind="plain">{texts.you}</Badge>) ||
        (isInvited && <Badge kind="warn">{texts.waiting}</Badge>)
      }
      details={detailsOf(person, isOwnersOnly).join(' · ')}
      actions={
        mayChange(me, person) && (
          <>
            {isInvited && <ResendButton person={person} />}
            <Button kind="quiet" label={commonTexts.actionOn(texts.change, name)} onPress={onChange}>
              {texts.change}
            </Button>
            <Button kind="quiet" label={commonTexts.actionOn(removal, name)} onPress={onRemove}>
              {removal}
            </Button>
          </>
        )
      }
    />
  );
}

function removalOf(isMyself: boolean, isInvited: boolean): string {
  if (isMyself) return texts.leave;
  return isInvited ? texts.withdraw : texts.remove;
}

function detailsOf(person: Person, isOwnersOnly: boolean): readonly string[] {
  const { name, email, role, seat, status, created_at: created } = person;
  const when = status === 'invited' ? texts.invitedOn : texts.since;
  return [
    roleTexts.roles[role],
    texts.seatOf(roleTexts.seats[seat]),
    ...(name === null ? [] : [email]),
    when(dateText(created)),
    ...(isOwnersOnly ? [texts.ownersOnly] : []),
  ];
}
