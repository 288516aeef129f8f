import { useMember } from '../../session/session-context.js';
import { roleTexts as texts } from '../../texts/roles.js';
import { Choice } from '../../ui/choice.js';
import { rolesToGive, type Person } from './person-rights.js';

export type Rights = Pick<Person, 'role' | 'seat'>;

const seats = (['full', 'viewer'] as const).map((value) => ({
  value,
  text: texts.seats[value],
  hint: texts.seatHints[value],
}));

interface Props {
  readonly rights: Rights;
  readonly onChange: (rights: Rights) => void;
}

/** Role and seat of a person, with what they allow. */
export function RoleFields({ rights, onChange }: Props) {
  const roles = rolesToGive(useMember()).map((value) => ({
    value,
    text: texts.roles[value],
    hint: texts.roleHints[value],
  }));
  return (
    <>
      <Choice
        label={texts.role}
        options={roles}
        value={rights.role}
        onChange={(role) => onChange({ ...rights, role })}
      />
      <Choice
        label={texts.seat}
        options={seats}
        value={rights.seat}
        onChange={(seat) => onChange({ ...rights, seat })}
      />
    </>
  );
}
