import { exampleId } from './example-values.js';
import { Example } from './example.js';
import { Nested, OneOf, Text } from './fields.js';

/**
 * `person`: a user. `app`: an integration, for a person of its provider. `visitor`: of a link, known by the link. `job`: the
 * platform itself. `operator`: a command of the operator.
 */
export const actorKinds = ['person', 'api_key', 'app', 'visitor', 'job', 'operator'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** The exact actor of an act, in the form in which `details.actor` of the audit log shows it (OPEN-28). */
export class Actor {
  @OneOf(actorKinds) kind: ActorKind;
  @Text({
    max: 64,
    description:
      'The usr_ or key_ id, the app, the id of the visited link (never its code), the name of the job or command.',
  })
  id: string;
  @Text({ max: 64, optional: true }) app?: string;
  @Text({ max: 64, optional: true, description: 'The portal of a CRM where the app acts.' }) portal?: string;
  @Text({ max: 64, optional: true, description: 'The org of a CRM where the app acts.' }) org?: string;
  @Text({ max: 64, optional: true, description: 'The workspace of the chat where the app acts.' })
  team?: string;
  @Text({
    max: 256,
    optional: true,
    nullable: true,
    description: 'The person, by the id of the provider; null: it named none.',
  })
  person?: string | null;
}

/** An actor as the API shows it to the account: with a name for people to read. */
@Example({ kind: 'person', id: exampleId('usr'), name: 'ann@example.com' })
export class ActorSummary extends Actor {
  @Text({
    max: 320,
    nullable: true,
    description:
      'The e-mail address of the user or the name of the API key; null for all others, for a removed user, and while names cannot be read.',
  })
  name: string | null;
}

/** The actor of an event where it is not the one whom `actor_id` names. Publishers before this field have none. */
export const ExactActor = () => Nested(() => Actor, { optional: true });
